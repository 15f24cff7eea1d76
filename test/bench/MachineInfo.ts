/** The machine of a run. Results of different machines are not comparable. */
import { availableParallelism, cpus, loadavg, totalmem } from "node:os"

export interface MachineInfo {
  readonly cores: number
  readonly processor: string
  readonly memoryGigabytes: number
  readonly platform: string
  readonly node: string
  /** The load average of the minute before the run; near 0 on an idle machine. */
  readonly load: number
  readonly date: string
}

export const read = (): MachineInfo => ({
  cores: availableParallelism(),
  processor: cpus()[0]?.model.trim() || "unknown processor",
  memoryGigabytes: Math.round(totalmem() / 2 ** 30),
  platform: `${process.platform} ${process.arch}`,
  node: process.versions.node,
  load: Number((loadavg()[0] ?? 0).toFixed(2)),
  date: new Date().toISOString().slice(0, 10)
})

export const format = ({ cores, date, load, memoryGigabytes, node, platform, processor }: MachineInfo): string =>
  `${date}, ${cores} cores (${processor}), ${memoryGigabytes} GB, ${platform}, Node ${node}, load ${load} at the start`
