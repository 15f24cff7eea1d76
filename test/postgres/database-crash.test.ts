import { it } from "vitest"
import { seed } from "../acceptance/ClockJumps.test-support.ts"
import { expectRecovery } from "./DatabaseCrash.test-support.ts"

it(`2 SIGKILLs of the forge and one of PostgreSQL lose no acknowledged data (TONGS_TEST_SEED=${seed})`, () =>
  expectRecovery(2, 1))
