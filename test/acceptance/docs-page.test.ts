/** The page at `/docs` of `tongs serve` works with its content security policy. */
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { chromium } from "playwright-core"
import { expect, it, onTestFinished } from "vitest"
import { serveCommits } from "./ForgeProcess.test-support.ts"

const PROGRAM = "/usr/bin/chromium"

it("allows only its own scripts and forge, for all request headers", async () => {
  const { url } = (await serveCommits(1)).serving
  const page = await fetch(`${url}/docs`)
  const html = await page.text()
  const policy = page.headers.get("content-security-policy") ?? ""
  const scripts = [...html.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(
    ([, source = ""]) => `'sha256-${createHash("sha256").update(source).digest("base64")}'`
  )
  expect(scripts).toHaveLength(2)
  expect(policy).toContain(`script-src ${scripts.join(" ")};`)
  for (const rule of ["default-src 'none'", "connect-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"]) {
    expect(policy.split("; ")).toContain(rule)
  }
  expect(page.headers.get("x-content-type-options")).toBe("nosniff")
  const other = await fetch(`${url}/docs?x=<script>canary</script>`, { headers: { "x-forwarded-host": '"><canary' } })
  expect(await other.text()).toBe(html)
})

it.skipIf(!existsSync(PROGRAM))("shows the contract without requests to other hosts (needs chromium)", async () => {
  const { url } = (await serveCommits(1)).serving
  const browser = await chromium.launch({ executablePath: PROGRAM, args: ["--no-sandbox"] })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const requests: Array<string> = []
  const refused: Array<string> = []
  page.on("request", (request) => requests.push(request.url()))
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) refused.push(message.text())
  })
  await page.goto(`${url}/docs`)
  await page.getByText("Download OpenAPI Document").first().waitFor()
  await page.getByRole("heading", { name: "root" }).first().waitFor()
  expect(requests.filter((one) => !one.startsWith(url) && !one.startsWith("data:"))).toEqual([])
  expect(refused).toEqual([])
})
