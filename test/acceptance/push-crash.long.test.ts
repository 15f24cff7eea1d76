import { it } from "vitest"
import { seed } from "./ClockJumps.test-support.ts"
import { expectPushCrashRecovery } from "./PushCrash.test-support.ts"

it(
  `100 SIGKILLs at all stages of a push lose nothing acknowledged (TONGS_TEST_SEED=${seed})`,
  { timeout: 1_800_000 },
  () => expectPushCrashRecovery(100)
)
