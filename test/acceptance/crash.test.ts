import { it } from "vitest"
import { seed } from "./ClockJumps.test-support.ts"
import { expectCrashRecovery } from "./CrashRecovery.test-support.ts"

it(
  `2 SIGKILLs during writes and deliveries lose no acknowledged data (TONGS_TEST_SEED=${seed})`,
  { timeout: 600_000 },
  () => expectCrashRecovery(2)
)
