/** The front end: the same file that notebooks carry, beside this one. JupyterLab starts without it; the first trace loads it. */

import type make from "../index";
import type { noted } from "../index";

export interface FrontEnd {
  default: typeof make;
  noted: typeof noted;
}

/** The address of the extension's script, next to which the front end lies. Its first line keeps it (js/lab.mjs). */
const { address } = (globalThis as unknown as { _JGRAD_SHARED: { address: string } })._JGRAD_SHARED;

let loading: Promise<FrontEnd> | undefined;

export function frontEnd(): Promise<FrontEnd> {
  loading ??= load();
  loading.catch(() => {
    loading = undefined; // the server may answer next time
  });
  return loading;
}

async function load(): Promise<FrontEnd> {
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = new URL("jgrad.css", address).href;
  const styled = new Promise((resolve, reject) => {
    style.onload = resolve;
    style.onerror = () => {
      style.remove();
      reject(new Error(`${style.href} can't be loaded`));
    };
  });
  document.head.append(style);
  const [found] = await Promise.all([import(new URL("jgrad.js", address).href), styled]);
  return found;
}
