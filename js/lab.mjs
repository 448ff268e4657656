// Builds js/labextensions/jgrad: the JupyterLab extension. The front end, which it loads with the first trace that is shown, is that of jgrad/static: the wheel and
// `jgrad lab` put it beside this. A federated extension is an object with `init` and `get`, which JupyterLab finds in a global
// variable. This writes it by hand: @jupyter/builder would bring 410 packages, and its output depends on the folder that it runs in.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "labextensions", "jgrad");
// JupyterLab loads it at its start. Of what is above 24,000, 340 are for links to cells of other notebooks (fragments.ts takes 510; the rest
// was saved elsewhere), 190 for a reader who skips the first cell (loadFor), and 730 for all that stands below an open question (hidden.ts).
const LIMIT = 25_260;
const NAME = "jgrad";
const SHARED = /^@(jupyterlab|lumino|codemirror)\//;
const MODULES = `{ "./extension": () => require("./index.ts"), "./renderer": () => require("./renderer.ts"), "./style": () => ({}) }`;

/** Bundles a text; returns the code, and the modules that JupyterLab shares with it. */
async function bundle(contents) {
  const needs = new Set();
  const shared = {
    name: "shared",
    setup(build) {
      build.onResolve({ filter: SHARED }, ({ path }) => {
        needs.add(path);
        return { path, namespace: "shared" };
      });
      build.onLoad({ filter: /.*/, namespace: "shared" }, ({ path }) => ({
        contents: `module.exports = globalThis._JGRAD_SHARED[${JSON.stringify(path)}]`,
      }));
      build.onLoad({ filter: /lab[\\/]style\.css$/ }, async ({ path }) => {
        const { outputFiles } = await esbuild.build({
          entryPoints: [path],
          bundle: true,
          minify: true,
          write: false,
        });
        const text = JSON.stringify(outputFiles[0].text);
        return {
          contents: `const style = document.createElement("style"); style.textContent = ${text}; document.head.append(style);`,
          loader: "js",
        };
      });
    },
  };
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: join(here, "src", "lab"), loader: "js" },
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    minify: true,
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
    plugins: [shared],
  });
  return { code: outputFiles[0].contents, needs: [...needs].sort() };
}

const { needs } = await bundle(`export default ${MODULES}`);
const { code } = await bundle(`
const shared = (globalThis._JGRAD_SHARED ??= {});
shared.address = document.currentScript.src; // only while a script runs does the page know which one it is
let scope, ready;
const newest = (versions) => Object.keys(versions).sort((a, b) => a.localeCompare(b, undefined, { numeric: true })).pop();
const load = () => (ready ??= Promise.all(${JSON.stringify(needs)}.map(async (name) => {
  if (!scope[name]) throw new Error("jgrad: this JupyterLab has no " + name);
  shared[name] = (await scope[name][newest(scope[name])].get())();
})));
const modules = ${MODULES};
(globalThis._JUPYTERLAB ??= {})[${JSON.stringify(NAME)}] = {
  init: (given) => { scope = given; },
  get: async (name) => { await load(); return modules[name]; },
};
`);
// No checksum in the name: a Jupyter server lets browsers ask each time whether a file of an extension has changed.
const entry = "static/remoteEntry.js";
const { version } = JSON.parse(readFileSync(join(here, "lab", "package.json"), "utf8"));
rmSync(target, { recursive: true, force: true });
mkdirSync(join(target, "static"), { recursive: true });
writeFileSync(join(target, entry), code);
const about = {
  name: NAME,
  version,
  description: "Traces of cells, and notes in their editors",
  license: "MIT",
  jupyterlab: {
    extension: true,
    mimeExtension: true,
    schemaDir: "schema",
    _build: { load: entry, extension: "./extension", mimeExtension: "./renderer", style: "./style" },
  },
};
const text = `${JSON.stringify(about, null, 2)}\n`;
writeFileSync(join(target, "package.json"), text);
mkdirSync(join(target, "schemas", NAME), { recursive: true });
cpSync(join(here, "lab", "plugin.json"), join(target, "schemas", NAME, "plugin.json"));
writeFileSync(join(target, "schemas", NAME, "package.json.orig"), text); // JupyterLab reads this name
writeFileSync(join(target, "install.json"), readFileSync(join(here, "lab", "install.json")));
console.log(`js/labextensions: ${code.length} bytes; shared: ${needs.join(" ")}`);
if (code.length > LIMIT) {
  console.error(`too large: the limit is ${LIMIT}`);
  process.exitCode = 1;
}
