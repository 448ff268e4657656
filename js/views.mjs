// The plugin of esbuild that both bundles need: it translates the views.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** Translates the views, at first and whenever one of them changed. */
export const views = {
  name: "views",
  setup(build) {
    const root = join(here, "..");
    build.onStart(() => {
      const { status } = spawnSync("python3", ["-m", "js.translator"], { cwd: root, stdio: "inherit" });
      return status === 0
        ? {}
        : { errors: [{ text: "the views were not translated (python3 -m js.translator)" }] };
    });
    build.onLoad({ filter: /[\\/]js[\\/]made[\\/]\w+\.js$/ }, ({ path }) => {
      const contents = readFileSync(path, "utf8");
      const [, source] = /^\/\/ Made from (\S+)/.exec(contents);
      return { contents, watchFiles: [join(root, source)] };
    });
  },
};
