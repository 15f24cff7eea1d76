/** The notices of the packages in a bundle, from the bundled modules. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

/** The folder of the package that a module belongs to. */
const packageFolder = /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/

const licenceFile = /^(licen[cs]e|copying|notice|ofl)/i

/** Code of other packages inside a bundled package, without a package folder. */
const vendored = [
  {
    in: "effect",
    module: /[\\/]effect[\\/].*[\\/]httpApiScalar\.[jt]s$/,
    name: "@scalar/api-reference",
    url: "https://github.com/scalar/scalar",
    license: "MIT",
    copyright: "Copyright (c) 2023-present Scalar"
  }
]

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

/**
 * A plugin of vite and rolldown that adds the folders of the bundled packages to `folders`, for modules in the chunks,
 * styles and fonts.
 * @param {Set<string>} folders
 * @returns {import("rolldown").Plugin}
 */
export const bundledPackages = (folders) => ({
  name: "bundled-packages",
  generateBundle(_, bundle) {
    const assets = [...this.getModuleIds()].filter((id) => /\.(css|woff2?)($|\?)/.test(id))
    const chunks = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []))
    for (const id of [...assets, ...chunks]) {
      const folder = packageFolder.exec(id)?.[1]
      if (folder !== undefined) folders.add(folder)
    }
  }
})

/**
 * Returns the paths of the modules in the source maps of a folder.
 * @param {string} folder
 */
export const mappedModules = (folder) => {
  const maps = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js.map"))
  return maps.flatMap((name) => {
    const { sources } = JSON.parse(readFileSync(join(folder, name), "utf8"))
    return sources.map((/** @type {string} */ source) => resolve(folder, dirname(name), source))
  })
}

/**
 * @typedef {object} Notice
 * @property {string} name
 * @property {string} version
 * @property {string} license the identifier
 * @property {string} text
 */

/**
 * Returns the notice of the package in a folder. Fails for a package without a licence.
 * @param {string} folder
 * @returns {Notice}
 */
export const noticeOf = (folder) => {
  const { author, license, name, repository, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  if (typeof license !== "string") throw new Error(`${folder} declares no licence`)
  const files = readdirSync(folder).filter((file) => licenceFile.test(file))
  const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim())
  if (texts.length === 0) {
    if (license !== "MIT") throw new Error(`${folder} has no file with its licence, ${license}`)
    const owner = author?.name ?? author ?? repository?.url ?? name
    texts.push(`Copyright (c) ${owner}\n\n${MIT}`)
  }
  return { name, version, license, text: texts.join("\n\n") }
}

/**
 * Returns the text of a library's THIRD-PARTY-NOTICES.md. Packages with the same text share one copy.
 * @param {ReadonlyArray<string>} modules paths of the modules that the library contains
 */
export const notices = (modules) => {
  const folders = new Set(modules.flatMap((path) => packageFolder.exec(path)?.[1] ?? []))
  const contained = vendored.filter(({ module }) => modules.some((path) => module.test(path)))
  return noticesOf(
    [...[...folders].map(noticeOf), ...contained.map(vendoredNotice)],
    "This package contains code of the packages below."
  )
}

/**
 * Returns the text of the program's THIRD-PARTY-NOTICES.md.
 * @param {Iterable<string>} folders
 */
export const programNotices = (folders) => {
  const packages = [...folders].map(noticeOf)
  for (const part of vendored) {
    if (!packages.some(({ name }) => name === part.in)) throw new Error(`The bundle has no ${part.in}`)
    packages.push(vendoredNotice(part))
  }
  return noticesOf(
    packages,
    "The program contains the packages below. `dist/openpgp/openpgp.mjs` is the unchanged file of the package openpgp, under the LGPL: you may replace it by another version with the same interface."
  )
}

/**
 * @param {typeof vendored[number]} part
 * @returns {Notice}
 */
const vendoredNotice = ({ copyright, in: container, license, name, url }) => ({
  name: `${name} (in ${container})`,
  version: url,
  license,
  text: `${copyright}\n\n${MIT}`
})

/**
 * @param {ReadonlyArray<Notice>} packages
 * @param {string} introduction
 */
const noticesOf = (packages, introduction) => {
  /** @type {Map<string, Array<Notice>>} */
  const byText = new Map()
  for (const notice of packages.toSorted((a, b) => a.name.localeCompare(b.name, "en"))) {
    byText.set(notice.text, [...(byText.get(notice.text) ?? []), notice])
  }
  const sections = [...byText].map(([text, group]) => {
    const names = [...new Set(group.map(({ license, name, version }) => `- ${name} ${version} (${license})`))]
    return `${names.join("\n")}\n\n${text.replaceAll(/^/gm, "    ").replaceAll(/ +$/gm, "")}`
  })
  return `# Third-party notices

${introduction}

${sections.join("\n\n---\n\n")}
`
}
