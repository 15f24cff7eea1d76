/**
 * Writes the API reference of the published libraries as web pages, to the folder `reference` or to that of the first
 * argument. Reads the built declarations. Fails if there is a warning, for example of a broken link.
 */
import * as Fs from "node:fs"
import * as Path from "node:path"
import { load as missingExports } from "typedoc-plugin-missing-exports"
import { Application, Converter, type ProjectReflection, ReflectionKind } from "typedoc"

const root = Path.join(import.meta.dirname, "../..")
const packages = ["packages/core", "packages/client", "packages/testing"]

/** The declarations of each public import, by its name. */
const entryPoints = new Map(
  packages.flatMap((folder) => {
    const manifest: unknown = JSON.parse(Fs.readFileSync(Path.join(root, folder, "package.json"), "utf8"))
    const { exports, name } = Object(manifest)
    return Object.entries(exports).flatMap(([path, target]) => {
      const { types } = Object(target)
      return types === undefined ? [] : [[name + path.slice(1), Path.join(root, folder, types)] as const] // the pair must stay a tuple
    })
  })
)

/** Names the modules after their imports instead of files. */
const nameModules = (application: Application) =>
  application.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    for (const [name, file] of entryPoints) {
      const path = Path.relative(Path.join(root, "packages"), file).replace(/(\/index)?\.d\.ts$/, "")
      const module = project.getChildByName([path])
      if (module === undefined) throw new Error(`The reference has no module ${path}`)
      module.name = name
    }
  })

const { Class, Function, Interface, TypeAlias, Variable } = ReflectionKind

/** Warns of each export without a comment. Types that the plugin adds need none. */
const warnOfUndocumented = (application: Application, project: ProjectReflection) => {
  const exports = project.getReflectionsByKind(Class | Function | Interface | TypeAlias | Variable)
  for (const reflection of exports.filter((one) => !one.getFullName().includes("<internal>"))) {
    const signatures = reflection.isDeclaration() ? reflection.getNonIndexSignatures() : []
    if ([reflection, ...signatures].some((one) => one.hasComment())) continue
    application.logger.warn(`${reflection.getFullName()} has no documentation`)
  }
}

const application = await Application.bootstrapWithPlugins({
  basePath: Path.join(root, "packages"),
  entryPoints: [...entryPoints.values()],
  excludeExternals: true,
  name: "Tongs",
  plugin: [missingExports],
  readme: Path.join(root, "packages/core/README.md"),
  treatValidationWarningsAsErrors: true,
  treatWarningsAsErrors: true,
  tsconfig: Path.join(import.meta.dirname, "tsconfig.json"),
  validation: { invalidLink: true, notExported: true }
})
nameModules(application)
const project = await application.convert()
if (project === undefined) process.exit(1)
application.validate(project)
warnOfUndocumented(application, project)
await application.generateDocs(project, Path.resolve(process.argv[2] ?? Path.join(root, "reference")))
if (application.logger.hasErrors() || application.logger.hasWarnings()) process.exit(1)
