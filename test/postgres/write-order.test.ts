import { it } from "vitest"
import { seed } from "../acceptance/ClockJumps.test-support.ts"
import { expectSerialOrder } from "./WriteOrder.test-support.ts"

it(`2,000 requests of 64 writers at 4 forges have a serial order (TONGS_TEST_SEED=${seed})`, () =>
  expectSerialOrder(2000))
