import { it } from "vitest"
import { seed } from "./ClockJumps.test-support.ts"
import { expectCrashRecovery } from "./CrashRecovery.test-support.ts"

it(
  `100 SIGKILLs during writes and deliveries lose no acknowledged data (TONGS_TEST_SEED=${seed})`,
  { timeout: 1_800_000 },
  () => expectCrashRecovery(100)
)
