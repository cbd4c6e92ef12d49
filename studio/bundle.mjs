/** Bundles the studio, with the licences of what it bundles: node bundle.mjs */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import svelte from "esbuild-svelte";

const OUT = "../src/motorik/view/studio/page";

/** The shaders of three.js without blanks that mean nothing: those of a directive stay. */
const shaders = {
  name: "shaders",
  setup({ onLoad }) {
    onLoad({ filter: /three\.module\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(
        /^(var|const) (\w+) = ("(?:[^"\\]|\\.)*");$/gm,
        (whole, kind, name, text) => {
          const lines = JSON.parse(text).split("\n");
          if (lines.length < 2) return whole;
          const thin = lines
            .map((line) => line.replace(/\/\/.*$/, "").trim())
            .map((line) =>
              line.startsWith("#") ? line : line.replace(/\s*([-+*/=<>(){};,?:&|!])\s*/g, "$1"),
            )
            .filter(Boolean);
          return `${kind} ${name} = ${JSON.stringify(thin.join("\n"))};`;
        },
      ),
    }));
  },
};

const { metafile, outputFiles } = await build({
  entryPoints: ["src/main.ts"],
  bundle: true,
  minify: true,
  format: "iife",
  globalName: "motorikStudio",
  target: "es2022",
  legalComments: "none",
  charset: "utf8",
  conditions: ["svelte", "browser", "production"],
  mainFields: ["svelte", "browser", "module", "main"],
  // the viewer's sources find three.js here
  nodePaths: ["node_modules"],
  // constants that are folded: the warnings of development fall away
  alias: {
    "esm-env": "./src/environment.ts",
    "d3-transition": "./src/still.ts",
    "d3-interpolate": "./src/still.ts",
  },
  outfile: `${OUT}/studio.js`,
  metafile: true,
  write: false,
  plugins: [
    shaders,
    svelte({
      compilerOptions: {
        css: "external",
        discloseVersion: false,
        // not by the path of the source, which differs where modules are links
        cssHash: ({ hash, css }) => `svelte-${hash(css)}`,
      },
      filterWarnings: ({ filename }) => !filename?.includes("node_modules"),
    }),
  ],
});

/** The packages of which something is in the bundle. */
const packages = new Set(
  Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([name]) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? []),
);

/** Licences, each text once, with all who hold rights under it. */
const texts = new Map();
for (const name of [...packages].sort()) {
  const folder = `node_modules/${name}`;
  const { license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const file =
    existsSync(folder) && readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const lines = file ? readFileSync(`${folder}/${file}`, "utf8").split(/\r?\n/) : [];
  const holders = lines
    .filter((line) => /^\s*copyright/i.test(line))
    .map((line) => line.trim());
  const body = lines
    .filter((line) => !/^\s*copyright|^\s*(the )?(mit|isc) licen[cs]e/i.test(line))
    .join(" ")
    .replace(/\s+/g, " ")
    .trim();
  const known = texts.get(license) ?? { owners: [], body: "" };
  known.owners.push(`${name}: ${holders.join("; ") || license}`);
  known.body ||= body;
  texts.set(license, known);
}
const notice = [...texts]
  .map(([license, { owners, body }]) => `${license}\n${owners.join("\n")}\n\n${body}`)
  .join("\n\n")
  .replaceAll("*/", "* /");

for (const { path, text } of outputFiles) {
  const name = path.endsWith(".css") ? "studio.css" : "studio.js";
  const end = path.endsWith(".css")
    ? ""
    : `/*! Licences of what is bundled here\n\n${notice}\n*/\n`;
  writeFileSync(`${OUT}/${name}`, `${text.trimEnd()}\n${end}`);
}
