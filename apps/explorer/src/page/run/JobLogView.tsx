import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react"
import * as JobLog from "@tongs/core/text/JobLog"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import type * as RunApi from "../../RunApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Link } from "../components/Link.tsx"
import { Skeleton } from "../components/Skeleton.tsx"
import { displayText } from "../model/displayText.ts"
import type * as Route from "../model/Route.ts"
import * as LogParts from "./LogParts.ts"
import * as RunParts from "./RunParts.tsx"
import { pollInterval } from "./usePolled.ts"

/** The log of a job: the start, or on request the end, of a long one. */
export const JobLogView = ({
  connection,
  job,
  route
}: {
  readonly job: RunApi.Job
  readonly route: Route.Run
  readonly connection: ExplorerApi.Connection
}) => {
  const { owner, repo } = route
  const [part, setPart] = useState<"start" | "end">("start")
  const isRunning = RunParts.isRunning(job)
  const name = { owner, repo, job: job.id }
  const parameters = { ...name, part }
  const answer = ExplorerClient.useRequest(ExplorerClient.log, parameters, {
    pollInterval: isRunning ? pollInterval(connection) : false
  })
  const wasRunning = useRef(isRunning)
  useEffect(() => {
    // The last lines arrive with the end of the job.
    if (wasRunning.current && !isRunning)
      void ExplorerClient.queryClient.invalidateQueries({ queryKey: [ExplorerClient.log.path] })
    wasRunning.current = isRunning
  }, [isRunning])
  const log = answer._tag === "Ready" ? answer.value : undefined
  const text = log?.text ?? ""
  const lines = useMemo(() => JobLog.parse(text), [text])
  const isCut = log !== undefined && (!log.isWhole || lines.length === JobLog.MAX_LINES)
  return (
    <section className="job-log" aria-label="Log">
      <header>
        <h2>Log</h2>
        {log !== undefined && log.text !== null && (
          <span className="dim">
            {log.size !== null && `${NumberFormat.bytes(log.size)} `}
            <a href={ExplorerClient.url(ExplorerClient.logFile.path, name)} download={`job-${job.id}.log`}>
              Download
            </a>
          </span>
        )}
      </header>
      {isCut && (
        <p className="issue-note" role="note">
          {part === "start"
            ? `These are the first ${NumberFormat.quantity(lines.length, "line")} of a long log. `
            : `These are the last lines of a long log, without their numbers. `}
          {log.size !== null && !log.isWhole && (
            <button type="button" className="link-button" onClick={() => setPart(part === "start" ? "end" : "start")}>
              {part === "start" ? "Show the end" : "Show the start"}
            </button>
          )}
        </p>
      )}
      {answer._tag === "Loading" && <Skeleton rows={6} isSlow={answer.slow} activity="Loading the log" />}
      {answer._tag === "Failed" && <FailureNotice {...answer} />}
      {log !== undefined && text === "" && (
        <p className="dim">{isRunning ? "No log yet. New lines appear here." : "This job has no log."}</p>
      )}
      {text !== "" && <Lines lines={lines} route={route} isNumbered={part === "start"} />}
    </section>
  )
}

const Lines = ({
  isNumbered,
  lines,
  route
}: {
  readonly lines: ReadonlyArray<JobLog.LogLine>
  readonly route: Route.Run
  readonly isNumbered: boolean
}) => {
  const parts = useMemo(() => LogParts.make(lines), [lines])
  const target = isNumbered ? route.line : undefined
  const box = useRef<HTMLDivElement>(null)
  const isTargetLoaded = target !== undefined && lines.some(({ number }) => number === target)
  useLayoutEffect(() => {
    const scroll = () => box.current?.querySelector("[data-linked]")?.scrollIntoView({ block: "center" })
    if (!isTargetLoaded) return
    scroll()
    // The parts around the line then have their heights.
    const frame = requestAnimationFrame(scroll)
    return () => cancelAnimationFrame(frame)
  }, [isTargetLoaded, target])
  const lineOf = (line: JobLog.LogLine) => (
    <Line key={line.number} line={line} route={route} isNumbered={isNumbered} isLinked={line.number === target} />
  )
  return (
    <div ref={box} className="log-lines">
      {parts.map((part) =>
        part._tag === "Group" ? (
          <details
            key={`group ${part.title.number}`}
            open={part.isFailed || part.lines.some(({ number }) => number === target)}
          >
            <summary>{lineOf(part.title)}</summary>
            <div className="log-part" style={sizeOf(part.lines)}>
              {part.lines.map(lineOf)}
            </div>
          </details>
        ) : (
          <div key={part.lines[0]?.number} className="log-part" style={sizeOf(part.lines)}>
            {part.lines.map(lineOf)}
          </div>
        )
      )}
    </div>
  )
}

/** Height of a line in rem, as in the style sheet. */
const LINE = 1.25

const sizeOf = (lines: ReadonlyArray<JobLog.LogLine>) => ({ containIntrinsicSize: `auto ${lines.length * LINE}rem` })

const Line = ({
  isLinked,
  isNumbered,
  line: { mark, number, spans },
  route
}: {
  readonly line: JobLog.LogLine
  readonly route: Route.Run
  readonly isNumbered: boolean
  readonly isLinked: boolean
}) => (
  <div className="log-line" data-mark={mark} data-linked={isLinked ? "" : undefined}>
    {isNumbered && (
      <Link className="log-number" to={{ ...route, line: number }} aria-label={`Line ${number}`}>
        {number}
      </Link>
    )}
    <span className="log-text">
      {titles.has(mark) && <strong>{titles.get(mark)} </strong>}
      {spans.map(({ color, isBold, text }, index) =>
        color === undefined && isBold === undefined ? (
          displayText(text)
        ) : (
          <span key={index} data-color={color} data-bold={isBold === undefined ? undefined : ""}>
            {displayText(text)}
          </span>
        )
      )}
    </span>
  </div>
)

const titles: ReadonlyMap<JobLog.Mark | undefined, string> = new Map([
  ["error", "Error:"],
  ["warning", "Warning:"],
  ["notice", "Notice:"]
])
