/** The files for a cluster in containers, which are read without Docker. */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import * as YamlText from "@tongs/service/base/YamlText"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"

const root = join(import.meta.dirname, "../..")

interface Service {
  readonly "<<"?: Service
  readonly command?: ReadonlyArray<string>
  readonly depends_on?: unknown
  readonly environment?: Readonly<Record<string, string>>
  readonly hostname?: string
  readonly secrets?: ReadonlyArray<string>
  readonly volumes?: ReadonlyArray<string>
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
  readonly volumes: Readonly<Record<string, null>>
}

const compose = async (): Promise<Compose> => {
  const parsed = await Effect.runPromise(YamlText.parse(readFileSync(join(root, "compose.yaml"))))
  expect(parsed).toBeDefined()
  return parsed as Compose // oxlint-disable-line typescript/no-unsafe-type-assertion -- the test checks the parts
}

const merged = (service: Service): Service => ({ ...service["<<"], ...service })

it("declares the secrets, volumes and files that the services of compose.yaml use", async () => {
  const { secrets, services, volumes } = await compose()
  const used = Object.values(services).map(merged)
  const mounts = used.flatMap((service) => (service.volumes ?? []).map((mount) => mount.split(":")[0] ?? ""))
  const named = mounts.filter((mount) => !mount.startsWith("."))
  expect(new Set(named)).toEqual(new Set(Object.keys(volumes)))
  for (const path of mounts.filter((mount) => mount.startsWith(".")))
    expect(existsSync(join(root, path)), path).toBe(true)
  expect(new Set(used.flatMap((service) => service.secrets ?? []))).toEqual(new Set(Object.keys(secrets)))
  for (const ignored of [".gitignore", ".dockerignore"]) {
    expect(readFileSync(join(root, ignored), "utf8")).toMatch(/^\/?secrets\/?$/m)
  }
})

it("starts three equal forges, which the balancer of compose.yaml reaches", async () => {
  const { services } = await compose()
  const { environment = {} } = services["balancer"] ?? {}
  const first = JSON.stringify(merged(services["forge1"] ?? {}))
  for (const number of [1, 2, 3]) {
    const name = `forge${number}`
    const service = services[name] ?? {}
    expect(service.hostname).toBe(name)
    expect(JSON.stringify(merged(service)).replaceAll(name, "forge1").replaceAll(`local${number}`, "local1")).toBe(
      first
    )
    expect(environment[`FORGE_${number}`]).toBe(`${name}:4180`)
    expect(service.command).toContain(`--cluster=${name}:4190`)
  }
})

it.skipIf(!hasPrograms("haproxy"))("has a configuration that HAProxy accepts", async () => {
  const { services } = await compose()
  const env = { PATH: process.env["PATH"], ...services["balancer"]?.environment }
  const { status, stderr } = spawnSync("haproxy", ["-c", "-f", join(root, "deploy/haproxy.cfg")], {
    env,
    encoding: "utf8"
  })
  // The names are known to Docker's network only.
  const problems = stderr.split("\n").filter((line) => /ALERT|WARNING/.test(line) && !line.includes("resolve address"))
  expect([status, problems]).toEqual([0, []])
})
