/** Crashes of a forge and of the PostgreSQL server with the rows. */
import { onTestFinished } from "vitest"
import * as TestDatabase from "@tongs/service/storage/TestDatabase.test-support"
import { expectCrashRecovery } from "../acceptance/CrashRecovery.test-support.ts"
import { start } from "./PostgresServer.test-support.ts"

/** Kills the forge and the server a number of times. The server is only for this test, and writes to the disk. */
export const expectRecovery = async (forgeKills: number, serverKills: number): Promise<void> => {
  const server = await start({ isDurable: true })
  onTestFinished(server.stop)
  TestDatabase.useServer(server.url)
  onTestFinished(() => TestDatabase.useServer())
  await expectCrashRecovery(forgeKills, { server, times: serverKills })
}
