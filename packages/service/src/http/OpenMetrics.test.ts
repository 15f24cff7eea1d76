import { assert, describe, it } from "@effect/vitest"
import * as OpenMetrics from "./OpenMetrics.ts"
import { parse } from "./OpenMetrics.test-support.ts"
import { RequestCounters } from "./RequestMetrics.ts"

describe("OpenMetrics", () => {
  it("prints metadata, samples and the end", () => {
    const text = OpenMetrics.print([
      OpenMetrics.single({ name: "a_seconds", type: "counter", unit: "seconds", help: "One." }, 1.5),
      OpenMetrics.labelled({ name: "b", type: "gauge", help: "Two." }, "state", { x: 1, y: Number.POSITIVE_INFINITY })
    ])
    assert.strictEqual(
      text,
      `# TYPE a_seconds counter
# UNIT a_seconds seconds
# HELP a_seconds One.
a_seconds_total 1.5
# TYPE b gauge
# HELP b Two.
b{state="x"} 1
b{state="y"} +Inf
# EOF
`
    )
    assert.strictEqual(parse(text).get("b")?.samples.get('b{state="x"}'), 1)
  })

  it("escapes label values and help texts", () => {
    const text = OpenMetrics.print([
      OpenMetrics.labelled({ name: "a", type: "gauge", help: 'Back\\slash "quoted"\nline.' }, "of", { '\\"\n': 1 })
    ])
    assert.include(text, '# HELP a Back\\\\slash \\"quoted\\"\\nline.\n')
    assert.include(text, 'a{of="\\\\\\"\\n"} 1\n')
    parse(text)
  })

  it("has a parser that refuses what the specification forbids", () => {
    const valid = "# TYPE a counter\n# HELP a A.\na_total 1\n# EOF\n"
    parse(valid)
    for (const [from, to] of [
      ["# EOF\n", ""],
      ["a_total 1", "a 1"],
      ["a_total 1", "a_total -1"],
      ["a_total 1", "a_total 1\na_total 1"],
      ["a_total 1", 'a_total{x="1",} 1'],
      ["a_total 1", 'a_total{x="\\t"} 1'],
      ["# HELP a A.\n", "# UNIT a seconds\n# HELP a A.\n"],
      ["# HELP a A.\n", ""],
      ["a_total 1\n", "a_total 1\n# TYPE b gauge\n# HELP b B.\n# HELP a A.\n"]
    ] as const) {
      assert.throws(() => parse(valid.replace(from, to)), undefined, undefined, `${from} → ${to}`)
    }
  })
})

describe("RequestCounters", () => {
  const printed = (counters: RequestCounters) => parse(OpenMetrics.print(counters.families()))

  it("counts by operation, status class and duration", () => {
    const counters = new RequestCounters()
    counters.count({ operation: "repos/get", isLimited: false }, "/repos/a/b", 200, 0.002)
    counters.count({ operation: "repos/get", isLimited: false }, "/repos/a/c", 304, 3)
    counters.count({ operation: "repos/get", isLimited: true }, "/repos/a/c", 429, 0)
    counters.count({ operation: "repos/get", isLimited: true }, "/repos/a/c", 403, 0)
    counters.count({ operation: "repos/get", isLimited: false }, "/repos/a/c", 403, 0)
    counters.count({ operation: "repos/get", isLimited: false }, "/repos/a/c", 503, 100)
    const found = printed(counters)
    assert.deepStrictEqual(Object.fromEntries(found.get("tongs_http_requests")?.samples ?? []), {
      'tongs_http_requests_total{operation="repos/get",status="2xx"}': 1,
      'tongs_http_requests_total{operation="repos/get",status="3xx"}': 1,
      'tongs_http_requests_total{operation="repos/get",status="4xx"}': 3,
      'tongs_http_requests_total{operation="repos/get",status="5xx"}': 1
    })
    assert.deepStrictEqual(Object.fromEntries(found.get("tongs_http_requests_refused")?.samples ?? []), {
      'tongs_http_requests_refused_total{reason="primary"}': 1,
      'tongs_http_requests_refused_total{reason="secondary"}': 1,
      'tongs_http_requests_refused_total{reason="unavailable"}': 1
    })
    const durations = found.get("tongs_http_request_duration_seconds")?.samples
    assert.strictEqual(durations?.get('tongs_http_request_duration_seconds_bucket{kind="api",le="0.001"}'), 3)
    assert.strictEqual(durations?.get('tongs_http_request_duration_seconds_bucket{kind="api",le="60.0"}'), 5)
    assert.strictEqual(durations?.get('tongs_http_request_duration_seconds_bucket{kind="api",le="+Inf"}'), 6)
  })

  it("names the operations outside of the contract by their path, all unknown paths by one name", () => {
    const counters = new RequestCounters()
    const paths = {
      "git-upload-pack": ["/a/b.git/info/refs?service=git-upload-pack", "/a/b/git-upload-pack"],
      "git-receive-pack": ["/a/b.git/info/refs?service=git-receive-pack", "/a/b.git/git-receive-pack"],
      graphql: ["/graphql", "/api/graphql"],
      other: ["/", "/docs", "/a/b.git/HEAD", "/%E0", ...Array.from({ length: 50 }, (_, index) => `/unknown/${index}`)]
    }
    for (const path of Object.values(paths).flat()) counters.count(undefined, path, 200, 0)
    for (const [operation, { length }] of Object.entries(paths)) {
      const sample = `tongs_http_requests_total{operation="${operation}",status="2xx"}`
      assert.strictEqual(printed(counters).get("tongs_http_requests")?.samples.get(sample), length)
    }
    assert.strictEqual(printed(counters).get("tongs_http_requests")?.samples.size, 4)
  })
})
