/** Reads the packages that manifests declare. Runs in a worker. */
import * as PathText from "@tongs/core/text/PathText"
import { parse } from "smol-toml"
import { type DeclaredPackage, keyOf } from "./Manifests.ts"
import { record, text, texts } from "./ManifestValues.ts"

/** Maximum number of packages of one manifest. */
const MAX_PACKAGES = 50

/** Maximum length of the name of a package. */
const MAX_NAME = 214

/** Maximum depth of the elements of a `pom.xml` that are read. */
const MAX_DEPTH = 3

/** Returns the packages that a manifest declares. Empty for a file that is no valid manifest. */
export const read = (path: string, text: string): ReadonlyArray<DeclaredPackage> => {
  try {
    const found = readers[PathText.nameOf(path)]?.(text, path) ?? []
    return found.filter(({ name }) => name !== "" && name.length <= MAX_NAME).slice(0, MAX_PACKAGES)
  } catch {
    // An invalid manifest declares nothing.
    return []
  }
}

type Reader = (text: string, path: string) => ReadonlyArray<DeclaredPackage>

const npm: Reader = (source, path) => {
  const manifest = record(JSON.parse(source))
  const name = text(manifest["name"])
  if (name === undefined) return []
  return [{ key: keyOf("npm", name), name, path, ...(manifest["private"] === true ? { isPrivate: true } : {}) }]
}

const go: Reader = (source, path) => {
  const name = /^module\s+"?([^\s"]+)/m.exec(source)?.[1]
  return name === undefined ? [] : [{ key: keyOf("go", name), name, path }]
}

/**
 * Returns a package of Python by its name, and by the modules that are named otherwise. `entry` is the folder of the
 * modules, if the manifest names one.
 */
const python = (name: string | undefined, modules: ReadonlyArray<string>, path: string, entry?: string) => {
  if (name === undefined) return []
  const tops = modules.map((one) => one.split("/").at(-1)?.split(".", 1)[0] ?? "").filter((one) => /^\w+$/.test(one))
  const keys = new Set([name, ...tops].map((one) => keyOf("python", one)))
  return [...keys].map((key): DeclaredPackage => ({ key, name, path, ...(entry === undefined ? {} : { entry }) }))
}

const pyproject: Reader = (source, path) => {
  const manifest = record(parse(source))
  const tool = record(manifest["tool"])
  const poetry = record(tool["poetry"])
  const flit = record(record(tool["flit"])["module"])
  const setuptools = record(tool["setuptools"])
  const hatch = record(record(record(record(tool["hatch"])["build"])["targets"])["wheel"])
  const included = Array.isArray(poetry["packages"]) ? poetry["packages"].map((one) => record(one)["include"]) : []
  const name = text(record(manifest["project"])["name"]) ?? text(poetry["name"])
  const modules = [
    flit["name"],
    ...included,
    ...texts(setuptools["packages"]),
    ...texts(setuptools["py-modules"]),
    ...texts(hatch["packages"])
  ]
  return python(name, texts(modules), path, text(record(setuptools["package-dir"])[""]))
}

/** Returns the value of a setting in a section of an INI file, with its indented lines. */
const setting = (source: string, section: string, name: string): string | undefined => {
  const [, body = ""] = new RegExp(`^\\[${section}\\][^\\n]*\\n((?:(?!\\[)[^\\n]*\\n?)*)`, "m").exec(source) ?? []
  return new RegExp(`^${name}[ \\t]*[=:][ \\t]*([^\\n]*(?:\\n[ \\t]+[^\\n]+)*)`, "m").exec(body)?.[1]?.trim()
}

const setupCfg: Reader = (source, path) => {
  const modules = ["packages", "py_modules"].flatMap((name) => setting(source, "options", name)?.split(/[\s,]+/) ?? [])
  return python(setting(source, "metadata", "name"), modules, path)
}

/** Reads the literal arguments of `setup`. Others need Python to run. */
const setupPy: Reader = (source, path) => {
  if (!/\bsetup\s*\(/.test(source)) return []
  const name = /\bname\s*=\s*(["'])([\w.-]+)\1/.exec(source)?.[2]
  const lists = source.matchAll(/\b(?:packages|py_modules)\s*=\s*\[([^\]]{0,5000})\]/g)
  const modules = [...lists].flatMap(([, list = ""]) =>
    [...list.matchAll(/["']([\w.]+)["']/g)].map(([, one = ""]) => one)
  )
  return python(name, modules, path)
}

const cargo: Reader = (source, path) => {
  const manifest = record(parse(source))
  const { name: own, publish } = record(manifest["package"])
  const lib = record(manifest["lib"])
  const name = text(own)
  if (name === undefined) return []
  const entry = text(lib["path"])
  const key = keyOf("cargo", text(lib["name"]) ?? name)
  return [
    { key, name, path, ...(entry === undefined ? {} : { entry }), ...(publish === false ? { isPrivate: true } : {}) }
  ]
}

/** Returns the texts of the elements of an XML document by their paths: of each path the first. */
const elements = (source: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const open: Array<string> = []
  const tags = /<!--|<(\/?)([\w:.-]+)[^<>]*?(\/?)>/g
  for (let match = tags.exec(source); match !== null; match = tags.exec(source)) {
    const [token, closing, name = "", selfClosing] = match
    if (token === "<!--") {
      const end = source.indexOf("-->", tags.lastIndex)
      if (end === -1) break
      tags.lastIndex = end
    } else if (closing === "/") open.pop()
    else if (selfClosing !== "/") {
      open.push(name)
      if (open.length > MAX_DEPTH) continue
      const end = source.indexOf("<", tags.lastIndex)
      const key = open.join(" ")
      if (!found.has(key)) found.set(key, source.slice(tags.lastIndex, end === -1 ? undefined : end).trim())
    }
  }
  return found
}

const pom: Reader = (source, path) => {
  const found = elements(source)
  const group = found.get("project groupId") ?? found.get("project parent groupId")
  const artifact = found.get("project artifactId")
  if (group === undefined || artifact === undefined || !/^[\w.-]+$/.test(group)) return []
  return [{ key: keyOf("maven", group), name: `${group}:${artifact}`, path }]
}

const gradle: Reader = (source, path) => {
  const group = /^\s*group\s*=?\s*["']([\w.-]+)["']/m.exec(source)?.[1]
  return group === undefined ? [] : [{ key: keyOf("maven", group), name: group, path }]
}

const readers: Readonly<Record<string, Reader>> = {
  "package.json": npm,
  "go.mod": go,
  "pyproject.toml": pyproject,
  "setup.cfg": setupCfg,
  "setup.py": setupPy,
  "Cargo.toml": cargo,
  "pom.xml": pom,
  "build.gradle": gradle,
  "build.gradle.kts": gradle
}
