import { it } from "vitest"
import { seed } from "../acceptance/ClockJumps.test-support.ts"
import { expectSerialOrder } from "./WriteOrder.test-support.ts"

it(`800 requests of 64 writers at 4 forges have a serial order (TONGS_TEST_SEED=${seed})`, () => expectSerialOrder(800))
