import type { CheckResult } from "../model/CheckResults.ts"

/** The result of a check as a mark. */
export const CheckMark = ({ result }: { readonly result: CheckResult }) => (
  <svg className="check-mark" viewBox="0 0 16 16" role="img" aria-label={texts[result]} data-result={result}>
    <title>{texts[result]}</title>
    <circle cx="8" cy="8" r="6" />
    <path d={shapes[result]} />
  </svg>
)

const texts: Readonly<Record<CheckResult, string>> = {
  failed: "Failed",
  passed: "Passed",
  running: "Not finished",
  skipped: "Skipped"
}

const shapes: Readonly<Record<CheckResult, string>> = {
  failed: "M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6",
  passed: "M5 8.2 7.2 10.4 11 6",
  running: "M8 4.5V8l2.5 1.5",
  skipped: "M5 8h6"
}
