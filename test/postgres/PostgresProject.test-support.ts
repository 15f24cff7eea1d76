/** Starts the server of a vitest project whose tests run on PostgreSQL. Without a server, the tests are skipped. */
import type { TestProject } from "vitest/node"
import { NoPostgres, start } from "./PostgresServer.test-support.ts"

export const setup = async ({ config }: TestProject): Promise<(() => Promise<void>) | undefined> => {
  if (process.env["TONGS_TEST_POSTGRES"] !== undefined) return undefined
  try {
    const server = await start({ isDurable: false })
    config.env["TONGS_TEST_POSTGRES"] = server.url
    return server.stop
  } catch (error) {
    if (!(error instanceof NoPostgres)) throw error
    console.warn(`The tests of the project "${config.name}" are skipped. ${error.message}`)
    return undefined
  }
}
