// Draws scenes with the built front end: reads the lines of a file, each of which holds a document and what to draw of it, and writes a line for each.
import { readFileSync, writeFileSync } from "node:fs";

const [bundle, asked, drawn] = process.argv.slice(2);
const { scenes } = await import(bundle);
const lines = readFileSync(asked, "utf8").split("\n");
writeFileSync(
  drawn,
  lines
    .map((line) => {
      const { document, cases } = JSON.parse(line);
      return JSON.stringify(scenes(document, cases));
    })
    .join("\n"),
);
