// Builds jgrad/static/jgrad.js and jgrad.css: one module text and one style sheet, as anywidget wants them.
// The module has two lines: a script that sets `jgrad`, and the exports. Pages without a kernel hold the script alone (jgrad/views/page.py).
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import { minify } from "terser";
import { views } from "./views.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "..", "jgrad", "static");
const LIMIT = { plain: 185_000, gzip: 74_700 }; // of jgrad.*: every widget in a notebook carries them

/** Properties that only this code knows, by which it never looks up a name in a string: they get shorter names. The translator lists those of
 * the records that it makes, and an attribute of an object has a $ at its end. */
const OWN =
  "arrange count counts cursorOf dots draw element happens hint hover jump keep leap leave links open panes pick picture pin placeOf redrawn reveal roundAt roundOf sentence show showTable tabular togglePlay tools turn".split(
    " ",
  );

/** Names of these that we use in the browser's own objects, too. */
const BROWSERS = "at children h input key left name now open opened right round sign w width x y".split(" ");

/** @type {esbuild.BuildOptions} */
const options = {
  entryPoints: [
    { in: join(here, "src", "index.ts"), out: "jgrad" },
    { in: join(here, "src", "style.css"), out: "jgrad" },
    { in: join(here, "src", "answer.ts"), out: "answer" }, // a widget of its own, which is small
    { in: join(here, "src", "answer.css"), out: "answer" },
    { in: join(here, "src", "player.ts"), out: "player" }, // for pages without a kernel, after the front end
    { in: join(here, "src", "predict", "index.ts"), out: "predict" }, // for pages with cells that are to be predicted
    { in: join(here, "src", "loader.ts"), out: "loader" }, // what each widget carries
  ],
  outdir: target,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
  plugins: [views],
};

/** The text of a module as two lines: a script that sets `jgrad`, and the exports. */
function asScript(module) {
  const exports = /export\{([^{}]*)\};?\s*$/;
  const names = exports
    .exec(module)[1]
    .split(",")
    .map((one) => one.split(" as "));
  const body = module.replace(exports, `return{${names.map(([own, name]) => `${name}:${own}`)}}`);
  const named = names.map(([, name]) => name).filter((name) => name !== "default");
  return `var jgrad=(()=>{"use strict";${body}})();\nexport const{${named}}=jgrad;export default jgrad.default;\n`;
}

if (process.argv.includes("--watch")) {
  await (await esbuild.context(options)).watch();
} else {
  await esbuild.build(options);
  const files = ["jgrad.js", "jgrad.css"].map((name) => join(target, name));
  const documents = ["document", "packing", "schema", "scene"].map((name) =>
    readFileSync(join(here, "src", `${name}.ts`), "utf8").replace(/\/\*[\s\S]*?\*\//g, ""),
  );
  const inDocuments = (name) => new RegExp(`\\b${name}\\??:`).test(documents.join(""));
  const shared = OWN.filter(inDocuments);
  if (shared.length) {
    throw new Error(`documents or scenes have these properties too, take them out of OWN: ${shared}`);
  }
  const made = JSON.parse(readFileSync(join(here, "made", "names.json"), "utf8"));
  const own = [...OWN, ...made.filter((name) => !inDocuments(name))];
  // Once more by one that takes its time: 1.5 kB less, and 1.5 kB less gzipped.
  const smaller = async (file, mangle) => {
    const compress = {
      ecma: 2022,
      passes: 3,
      unsafe_arrows: true,
      unsafe: true,
      pure_getters: true,
      lhs_constants: false,
    };
    const { code } = await minify(readFileSync(file, "utf8"), { ecma: 2022, module: true, mangle, compress });
    writeFileSync(file, `${code}\n`);
  };
  const regex = new RegExp(`\\$|^(${own.join("|")})$`);
  await smaller(files[0], { properties: { regex, builtins: true, reserved: BROWSERS } });
  for (const file of files) {
    // Our custom properties, too: two letters tell them apart.
    writeFileSync(file, readFileSync(file, "utf8").replace(/--jg-([a-z]{2})[a-z]*/g, "--$1"));
  }
  const scripts = ["player.js", "predict.js"].map((name) => join(target, name));
  await smaller(scripts[1], true);
  writeFileSync(files[0], asScript(readFileSync(files[0], "utf8")));
  for (const file of scripts) {
    writeFileSync(file, `(()=>{${readFileSync(file, "utf8").trim()}})();\n`);
  }
  for (const file of [files[0], ...scripts]) {
    if (/<\/script|<!--/i.test(readFileSync(file, "utf8"))) {
      throw new Error(`${file} would end the element of a page that holds it`);
    }
  }
  for (const name of ["loader.js", "answer.js"]) {
    await smaller(join(target, name), true); // a notebook holds them with each widget
  }
  const plain = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const gzip = files.reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0);
  console.log(`jgrad/static: ${plain} bytes, ${gzip} gzipped`);
  if (plain > LIMIT.plain || gzip > LIMIT.gzip) {
    console.error(`too large: every widget carries it; the limits are ${LIMIT.plain} and ${LIMIT.gzip}`);
    process.exitCode = 1;
  }
}
