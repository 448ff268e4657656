import type { View } from "../scene";
import { accumulation } from "./accumulation";
import { graph } from "./graph";
import { scatter } from "./scatter";
import { storage } from "./storage";
import { timeline } from "./timeline";

export const VIEWS = { timeline, storage, graph, accumulation, scatter } as const satisfies Record<
  string,
  View
>;

export type ViewName = keyof typeof VIEWS;
