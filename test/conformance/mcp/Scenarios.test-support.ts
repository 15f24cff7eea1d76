/**
 * The scenarios of `@modelcontextprotocol/conformance`, and whether the server passes each scenario. A protocol version
 * requires the `required` scenarios; the tool also runs further ones.
 */

/** The expected outcome of a scenario: success, or the reason for a failure. */
export type Outcome = "passes" | { readonly fails: string }

/** The scenarios of one protocol version, by name. */
export interface Scenarios {
  readonly required: Readonly<Record<string, Outcome>>
  readonly others: Readonly<Record<string, Outcome>>
}

const subscriptions = {
  fails:
    "The server has no subscriptions: its resources do not announce changes, and effect/ai 4.1 could not over HTTP."
}
const tasks = { fails: "The server does not have the extension io.modelcontextprotocol/tasks." }

/** The scenarios by protocol version. */
export const scenarios: Readonly<Record<string, Scenarios>> = {
  "2026-07-28": {
    required: {
      "server-stateless": "passes",
      "completion-complete": "passes",
      "tools-list": "passes",
      "tools-call-simple-text": "passes",
      "tools-call-image": "passes",
      "tools-call-audio": "passes",
      "tools-call-embedded-resource": "passes",
      "tools-call-mixed-content": "passes",
      "tools-call-error": "passes",
      "tools-call-with-progress": "passes",
      "server-sse-multiple-streams": "passes",
      "resources-list": "passes",
      "resources-read-text": "passes",
      "resources-read-binary": "passes",
      "resources-templates-read": "passes",
      "sep-2164-resource-not-found": "passes",
      "prompts-list": "passes",
      "prompts-get-simple": "passes",
      "prompts-get-with-args": "passes",
      "prompts-get-embedded-resource": "passes",
      "prompts-get-with-image": "passes",
      "dns-rebinding-protection": "passes",
      caching: "passes",
      "input-required-result-basic-elicitation": "passes",
      "input-required-result-basic-sampling": "passes",
      "input-required-result-basic-list-roots": "passes",
      "input-required-result-request-state": "passes",
      "input-required-result-multiple-input-requests": "passes",
      "input-required-result-multi-round": "passes",
      "input-required-result-missing-input-response": "passes",
      "input-required-result-non-tool-request": "passes",
      "input-required-result-result-type": "passes",
      "input-required-result-unsupported-methods": "passes",
      "input-required-result-tampered-state": "passes",
      "input-required-result-capability-check": "passes",
      "input-required-result-ignore-extra-params": "passes",
      "input-required-result-validate-input": "passes"
    },
    others: {
      "tasks-lifecycle": tasks,
      "tasks-capability-negotiation": tasks,
      "tasks-wire-fields": tasks,
      "tasks-request-state-removal": tasks,
      "tasks-mrtr-input": tasks,
      "tasks-request-headers": tasks,
      "tasks-dispatch-and-envelope": tasks,
      "tasks-status-notifications": "passes",
      "tasks-required-task-error": tasks,
      "tasks-mrtr-composition": tasks,
      "json-schema-2020-12": "passes",
      "http-header-validation": "passes",
      "http-custom-header-server-validation": "passes"
    }
  },
  "2025-11-25": {
    required: {
      "server-initialize": "passes",
      "logging-set-level": "passes",
      ping: "passes",
      "completion-complete": "passes",
      "tools-list": "passes",
      "tools-call-simple-text": "passes",
      "tools-call-image": "passes",
      "tools-call-audio": "passes",
      "tools-call-embedded-resource": "passes",
      "tools-call-mixed-content": "passes",
      "tools-call-with-logging": "passes",
      "tools-call-error": "passes",
      "tools-call-with-progress": "passes",
      "tools-call-sampling": "passes",
      "tools-call-elicitation": "passes",
      "elicitation-sep1034-defaults": "passes",
      "server-sse-multiple-streams": "passes",
      "elicitation-sep1330-enums": "passes",
      "resources-list": "passes",
      "resources-read-text": "passes",
      "resources-read-binary": "passes",
      "resources-templates-read": "passes",
      "resources-subscribe": subscriptions,
      "resources-unsubscribe": subscriptions,
      "prompts-list": "passes",
      "prompts-get-simple": "passes",
      "prompts-get-with-args": "passes",
      "prompts-get-embedded-resource": "passes",
      "prompts-get-with-image": "passes",
      "dns-rebinding-protection": "passes"
    },
    others: {
      "server-session-lifecycle": "passes",
      "json-schema-2020-12": "passes",
      "server-sse-polling": "passes"
    }
  }
}
