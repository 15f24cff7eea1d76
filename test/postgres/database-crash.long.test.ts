import { it } from "vitest"
import { seed } from "../acceptance/ClockJumps.test-support.ts"
import { expectRecovery } from "./DatabaseCrash.test-support.ts"

it(
  `200 SIGKILLs of the forge and 50 of PostgreSQL lose no acknowledged data (TONGS_TEST_SEED=${seed})`,
  { timeout: 7_200_000 },
  () => expectRecovery(200, 50)
)
