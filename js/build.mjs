// Builds jgrad/static/jgrad.js and jgrad.css: one module text and one style sheet, as anywidget wants them.
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "..", "jgrad", "static");
const LIMIT = { plain: 75_000, gzip: 30_000 }; // of both files; every widget in a notebook carries them

/** @type {esbuild.BuildOptions} */
const options = {
  entryPoints: [
    { in: join(here, "src", "index.ts"), out: "jgrad" },
    { in: join(here, "src", "style.css"), out: "jgrad" },
  ],
  outdir: target,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
};

if (process.argv.includes("--watch")) {
  await (await esbuild.context(options)).watch();
} else {
  await esbuild.build(options);
  const files = ["jgrad.js", "jgrad.css"].map((name) => join(target, name));
  const plain = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const gzip = files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
  console.log(`jgrad/static: ${plain} bytes, ${gzip} gzipped`);
  if (plain > LIMIT.plain || gzip > LIMIT.gzip) {
    console.error(`too large: every widget carries it; the limits are ${LIMIT.plain} and ${LIMIT.gzip}`);
    process.exitCode = 1;
  }
}
