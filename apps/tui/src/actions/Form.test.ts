import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as CatalogEndpoint from "@tongs/core/client/CatalogEndpoint"
import * as Catalog from "@tongs/core/contract/Catalog"
import * as Presentation from "@tongs/core/contract/Presentation"
import * as Samples from "@tongs/core/contract/Samples.test-support"
import * as Form from "./Form.ts"
import * as FormField from "./FormField.ts"
import * as FormSchema from "./FormSchema.ts"

const entryOf = (tool: string): Catalog.CatalogEntry => {
  const entry = Catalog.entries.find((entry) => entry.tool === tool)
  assert.isDefined(entry, tool)
  return entry
}

/** An input with a value for every field of an operation. */
const sampleOf = ({ endpoint, fields }: Catalog.CatalogEntry): Record<string, unknown> => {
  const schemas = [endpoint.params, endpoint.query, Catalog.payloadSchema(endpoint)]
  const values: Record<string, unknown> = Object.assign(
    {},
    ...schemas.map((schema) => (schema === undefined ? {} : Samples.of(Schema.toType(schema))))
  )
  return Object.fromEntries(fields.map(({ name }) => [name, values[name]]))
}

/** Presses keys. Fails if the form closes. */
const press = (form: Form.Form, ...keys: ReadonlyArray<string>): Form.Form =>
  keys.reduce((form, key) => {
    const step = Form.press(form, key)
    assert.strictEqual(step._tag, "Edit", key)
    return "form" in step ? step.form : form
  }, form)

const type = (form: Form.Form, text: string) => press(form, ...text)

/** Presses Ctrl-S. Returns the input, or undefined if the form stays open. */
const submit = (form: Form.Form) => {
  const step = Form.press(form, "ctrl-s")
  return step._tag === "Submit" ? step.input : undefined
}

const problems = (form: Form.Form) =>
  Object.fromEntries(
    form.fields.flatMap((field) => {
      const problem = Form.problemOf(form, field)
      return problem === undefined ? [] : [[field.schema.name, problem]]
    })
  )

const hookPath = { owner: "octo", repo: "hello" }

describe("the form of every operation", () => {
  for (const entry of Catalog.entries.filter(({ fields }) => fields.length > 0)) {
    it.effect(`${entry.tool} gives the input that was typed`, () =>
      Effect.gen(function* () {
        const input = sampleOf(entry)
        const form = FormSchema.fieldsOf(entry).reduce((form, schema) => {
          const text = FormField.textOf(schema, Presentation.valueAt(input, schema.path))
          assert.isDefined(text, schema.name)
          return Form.withText(form, schema.name, text)
        }, Form.make(entry))
        assert.deepStrictEqual(Form.toInput(form), input)
        yield* CatalogEndpoint.make(entry).toRequest(Form.toInput(form))
        assert.deepStrictEqual(problems({ ...form, isSubmitted: true }), {})
        assert.deepStrictEqual(submit(form), input)
      })
    )
  }
})

describe("a new resource", () => {
  const form = Form.make(entryOf("repository_hooks_create"), { values: hookPath, locked: ["owner", "repo"] })

  it("expands nested objects, and starts in the first required field", () => {
    const names = form.fields.map(({ schema }) => schema.name)
    assert.includeMembers(names, ["config.url", "config.content_type", "config.secret"])
    assert.strictEqual(Form.focused(form)?.schema.name, "config.url")
  })

  it("sends only what was set, with locked values", () => {
    assert.deepStrictEqual(submit(type(form, "https://example.test")), {
      ...hookPath,
      config: { url: "https://example.test" }
    })
  })

  it("names a missing field after the attempt to submit, and moves there", () => {
    assert.deepStrictEqual(problems(form), {})
    const tried = press(press(form, "tab", "tab"), "ctrl-s")
    assert.deepStrictEqual(problems(tried), { "config.url": "Required." })
    assert.strictEqual(Form.focused(tried)?.schema.name, "config.url")
  })

  it("skips locked fields", () => {
    const visited = form.fields.map(
      (_, index) => Form.focused(press(form, ...Array<string>(index).fill("tab")))?.schema.name
    )
    assert.notInclude(visited, "owner")
    assert.include(visited, "name")
    assert.deepStrictEqual(Form.withText(form, "owner", "other"), form)
  })

  it("knows whether it can be edited and was changed", () => {
    assert.isTrue(Form.isEditable(form))
    assert.isFalse(Form.isChanged(form))
    assert.isTrue(Form.isChanged(type(form, "x")))
    const values = { ...hookPath, hook_id: 1 }
    assert.isFalse(
      Form.isEditable(Form.make(entryOf("repository_hooks_ping"), { values, locked: Object.keys(values) }))
    )
  })

  it("splits a list at commas and at pasted lines", () => {
    const at = form.fields.findIndex(({ schema }) => schema.name === "events")
    const pasted = Form.paste({ ...form, focus: at }, "push\r\nfork,\n star\n")
    assert.deepStrictEqual(Form.toInput(pasted).events, ["push", "fork", "star"])
    const array = Form.withText(form, "events", '["a,b"]')
    assert.deepStrictEqual(Form.toInput(array).events, ["a,b"])
  })
})

describe("an update", () => {
  const config = { url: "https://old.test", content_type: "json", insecure_ssl: "0", secret: "********" }
  const values = { ...hookPath, hook_id: 7, id: 7, config, events: ["push"], active: true, extra: { a: 1 } }
  const form = Form.make(entryOf("repository_hooks_update"), { values, locked: ["owner", "repo", "hook_id"] })
  const path = { ...hookPath, hook_id: 7 }

  it("sends only changed members, and changed objects as a whole", () => {
    assert.deepStrictEqual(Form.toInput(form), path)
    assert.deepStrictEqual(Form.toInput(Form.withText(form, "active", "false")), { ...path, active: false })
    assert.deepStrictEqual(Form.toInput(Form.withText(form, "config.url", "https://new.test")), {
      ...path,
      config: { ...config, url: "https://new.test" }
    })
    assert.deepStrictEqual(Form.toInput(Form.withText(form, "events", "")), { ...path, events: [] })
  })

  it("sends nothing if nothing changed", () => {
    const tried = press(form, "ctrl-s")
    assert.deepStrictEqual(tried.problems, ["Nothing changed."])
  })

  it("replaces the placeholder of a secret with the first key", () => {
    const at = form.fields.findIndex(({ schema }) => schema.name === "config.secret")
    const typed = type({ ...form, focus: at }, "ab")
    assert.deepStrictEqual(Form.toInput(typed), { ...path, config: { ...config, secret: "ab" } })
  })

  it("clears a text, and keeps null where the forge sent it", () => {
    const entry = entryOf("repositories_update")
    const repository = { ...hookPath, name: "hello", description: "Old", homepage: null, private: false }
    const edited = Form.make(entry, { values: repository, locked: ["owner", "repo"] })
    assert.deepStrictEqual(Form.toInput(Form.withText(edited, "description", "")), { ...hookPath, description: "" })
    assert.deepStrictEqual(Form.toInput(edited), hookPath)
  })

  it("sends every value of a replacement", () => {
    const entry = entryOf("workflow_policies_set_permissions")
    const values = { org: "acme", enabled_repositories: "all", allowed_actions: "selected" }
    const replaced = Form.withText(Form.make(entry, { values, locked: ["org"] }), "enabled_repositories", "none")
    assert.deepStrictEqual(Form.toInput(replaced), { ...values, enabled_repositories: "none" })
  })
})

describe("keys", () => {
  const form = Form.make(entryOf("repositories_create"))
  const at = (name: string) => ({ ...form, focus: form.fields.findIndex(({ schema }) => schema.name === name) })
  const valueOf = (form: Form.Form, name: string) => Form.toInput(form)[name]

  it("toggles a boolean, and unsets it again", () => {
    const once = press(at("private"), " ")
    const twice = press(once, " ")
    assert.strictEqual(valueOf(once, "private"), true)
    assert.strictEqual(valueOf(twice, "private"), false)
    assert.isUndefined(valueOf(press(twice, " "), "private"))
    assert.strictEqual(valueOf(press(at("private"), "n"), "private"), false)
    assert.isUndefined(valueOf(press(once, "backspace"), "private"))
  })

  it("selects a choice with arrows, or completes its start", () => {
    const name = "squash_merge_commit_title"
    assert.strictEqual(valueOf(press(at(name), "right"), name), "PR_TITLE")
    assert.strictEqual(valueOf(press(at(name), "left"), name), "COMMIT_OR_PR_TITLE")
    assert.strictEqual(valueOf(press(type(at(name), "com"), "tab"), name), "COMMIT_OR_PR_TITLE")
    assert.strictEqual(valueOf(press(press(at(name), "right"), "c", "tab"), name), "COMMIT_OR_PR_TITLE")
    const wrong = press(type(at(name), "zzz"), "tab")
    assert.deepStrictEqual(problems(wrong), { [name]: "Must be PR_TITLE or COMMIT_OR_PR_TITLE." })
  })

  it("moves with Tab, arrows and Enter, and submits from the last field", () => {
    const typed = type(form, "new")
    assert.strictEqual(press(typed, "enter").focus, typed.focus + 1)
    assert.strictEqual(press(typed, "up").focus, 0)
    assert.strictEqual(press(typed, "shift-tab").focus, form.fields.length - 1)
    assert.strictEqual(press(typed, "shift-tab", "tab").focus, 0)
    const last = press(typed, "shift-tab")
    assert.deepStrictEqual(Form.press(last, "enter"), Form.press(last, "ctrl-s"))
    assert.strictEqual(Form.press(last, "enter")._tag, "Submit")
    assert.strictEqual(Form.press(last, "escape")._tag, "Cancel")
  })

  it("keeps Enter and arrows inside a text of several lines", () => {
    const comment = Form.make(entryOf("commit_comments_update"), {
      values: { ...hookPath, comment_id: 1, body: "one" },
      locked: ["owner", "repo", "comment_id"]
    })
    const edited = press(comment, "enter", "t", "w", "o", "up", "x")
    assert.strictEqual(Form.toInput(edited).body, "onex\ntwo")
    const step = Form.press(edited, "ctrl-o")
    assert.deepInclude(step, { _tag: "EditInEditor", field: "body", text: "onex\ntwo" })
    assert.strictEqual(Form.toInput(Form.withText(edited, "body", "from the editor\n")).body, "from the editor\n")
  })

  it("says while typing what a value must be", () => {
    const entry = entryOf("workflow_policies_set_retention")
    const days = Form.make(entry, { values: { org: "acme" }, locked: ["org"] })
    assert.deepStrictEqual(problems(type(days, "x")), { days: "Must be a whole number." })
    assert.deepStrictEqual(problems(type(days, "1.5")), { days: "Must be a whole number." })
    assert.deepStrictEqual(problems(type(days, "15")), {})
    assert.deepStrictEqual(problems(press(type(days, "1"), "backspace")), { days: "Required." })
    const commits = Form.make(entryOf("commits_list"), { values: hookPath })
    assert.deepStrictEqual(problems(Form.withText(commits, "since", "yesterday")), {
      since: "Must be a timestamp, for example 2026-01-31T12:00:00Z."
    })
    const ruleset = Form.make(entryOf("rulesets_create"), { values: { org: "acme" } })
    const rules = '[{"type":"max_file_size","parameters":{"max_file_size":0}}]'
    assert.deepStrictEqual(problems(Form.withText(ruleset, "rules", rules)), {
      rules: "[0].parameters.max_file_size must be a value between 1 and 100."
    })
    assert.deepStrictEqual(problems(Form.withText(ruleset, "rules", "[")), {
      rules: 'Must be JSON, for example {"name": "value"}.'
    })
    assert.deepStrictEqual(problems(Form.withText(Form.make(entryOf("keys_get")), "key_id", "-")), {
      key_id: "Must be a whole number."
    })
    assert.deepStrictEqual(problems(Form.withText(Form.make(entryOf("users_get")), "username", "..")), {
      username: 'This cannot be "..".'
    })
  })

  it("asks for the members of an optional object only if the object is set", () => {
    const entry = entryOf("git_commits_create")
    const commit = Form.make(entry, { values: { ...hookPath, message: "m", tree: Samples.SHA } })
    assert.isDefined(submit(commit))
    const named = press(Form.withText(commit, "author.name", "Ada"), "ctrl-s")
    assert.deepStrictEqual(problems(named), { "author.email": "Required." })
  })
})

describe("Form.withFailure", () => {
  const form = Form.make(entryOf("repository_hooks_create"), { values: hookPath, locked: ["owner", "repo"] })

  it("puts problems on their fields, and others at the head", () => {
    const failed = Form.withFailure(type(form, "x"), {
      detail: "Validation Failed",
      errors: [
        { resource: "Hook", field: "config[url]", code: "invalid" },
        { field: "events", message: "fork is unknown" },
        { field: "galaxy", code: "missing_field" },
        { message: "Too many hooks" }
      ]
    })
    assert.deepStrictEqual(problems(failed), { "config.url": "Not valid.", events: "fork is unknown" })
    assert.deepStrictEqual(failed.problems, ["galaxy: Required.", "Too many hooks"])
    assert.strictEqual(Form.focused(failed)?.schema.name, "config.url")
  })

  it("finds the field that contains the erroneous value", () => {
    const ruleset = Form.make(entryOf("rulesets_create"), { values: { org: "acme" }, locked: ["org"] })
    const failed = Form.withFailure(ruleset, {
      detail: "",
      errors: [
        { field: "rules.0.type", code: "invalid", message: "rules.0.type: workflows is not allowed" },
        { field: "bypass_actors[1].actor_id", code: "missing_field" },
        { field: "conditions.repository_name", message: "must have a pattern" },
        { field: "org", code: "missing" }
      ]
    })
    assert.deepStrictEqual(
      failed.fields.flatMap(({ rejection, schema }) => (rejection === undefined ? [] : [[schema.name, rejection]])),
      [
        ["org", "Does not exist."],
        ["bypass_actors", "bypass_actors[1].actor_id: Required."],
        ["conditions.repository_name.include", "conditions.repository_name: must have a pattern"],
        ["rules", "rules.0.type: workflows is not allowed"]
      ]
    )
    assert.strictEqual(Form.focused(failed)?.schema.name, "bypass_actors")
  })

  it("explains a single error without a message with the detail", () => {
    const errors = [{ resource: "Hook", field: "events", code: "invalid" }]
    const rejection = (detail: string) => problems(Form.withFailure(form, { detail, errors })).events
    assert.strictEqual(rejection("Event nope not found"), "Event nope not found")
    assert.strictEqual(rejection("Validation Failed"), "Not valid.")
  })

  it("shows the message of a failure without fields", () => {
    assert.deepStrictEqual(Form.withFailure(form, { detail: "Hook already exists", errors: [] }).problems, [
      "Hook already exists"
    ])
  })

  it("forgets the problem when the field is edited", () => {
    const errors = [{ field: "url", code: "invalid" }]
    const failed = Form.withFailure(type(form, "x"), { detail: "", errors })
    assert.deepStrictEqual(problems(type(failed, "y")), {})
    assert.isDefined(submit(type(failed, "y")))
    assert.isUndefined(submit(failed))
  })
})
