import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fixture from "../../git/Fixture.test-support.ts"
import * as Support from "../../main/Forge.test-support.ts"
import * as PullRequests from "./GraphQlPullRequests.test-support.ts"

const { TestForge } = Support

const SUBMODULE = "0123456789012345678901234567890123456789"

const files = {
  ".github/ISSUE_TEMPLATE/config.yml":
    "blank_issues_enabled: false\ncontact_links:\n  - { name: Chat, about: Ask, url: https://chat.example }\n  - no\n",
  ".github/FUNDING.yml": "github: [ada, bea]\ncustom: https://pay.example/boats\n",
  "docs/security.md": "Write to us.\n",
  ".gitmodules": '[submodule "chart"]\n\tpath = src/chart\n\turl = https://charts.example/chart.git\n\tbranch = main\n',
  LICENSE:
    'MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy\nTHE SOFTWARE IS PROVIDED "AS IS"\n',
  "src/hull.ts": "oak\n"
}

const forge = Support.layer((repos) => {
  const path = Support.repository(repos, "boats")
  Fixture.commit(path, files, "Add files")
  Fixture.git(path, ["update-index", "--add", "--cacheinfo", `160000,${SUBMODULE},src/chart`])
  Fixture.git(path, ["commit", "--quiet", "--message=Add a submodule"])
  Support.repository(repos, "plain")
})

const repository = (name: string, selection: string, options?: Support.Ask) =>
  Effect.gen(function* () {
    const { owner } = yield* TestForge
    return yield* PullRequests.query(
      `query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { ${selection} } }`,
      { owner, name },
      options
    )
  })

const COMMUNITY = `contactLinks { name about url } fundingLinks { platform url } isBlankIssuesEnabled
  isSecurityPolicyEnabled securityPolicyUrl licenseInfo { key }`

layer(forge)("fields of repositories in GraphQL", (it) => {
  it.effect("come from files of the default branch", () =>
    Effect.gen(function* () {
      const { owner } = yield* TestForge
      const { data } = yield* repository("boats", `${COMMUNITY} url`)
      const { url, ...found } = data.repository
      assert.deepStrictEqual(found, {
        contactLinks: [{ name: "Chat", about: "Ask", url: "https://chat.example" }],
        fundingLinks: [
          { platform: "GITHUB", url: "https://github.com/sponsors/ada" },
          { platform: "GITHUB", url: "https://github.com/sponsors/bea" },
          { platform: "CUSTOM", url: "https://pay.example/boats" }
        ],
        isBlankIssuesEnabled: false,
        isSecurityPolicyEnabled: true,
        securityPolicyUrl: `${url}/security/policy`,
        licenseInfo: { key: "mit" }
      })
      assert.include(url, `/${owner}/boats`)
      assert.deepStrictEqual((yield* repository("plain", COMMUNITY)).data.repository, {
        contactLinks: [],
        fundingLinks: [],
        isBlankIssuesEnabled: true,
        isSecurityPolicyEnabled: false,
        securityPolicyUrl: null,
        licenseInfo: null
      })
    })
  )

  it.effect("have the stars, subscription and addresses of the viewer", () =>
    Effect.gen(function* () {
      const { ask, base, get, owner, token } = yield* TestForge
      const fields = "viewerHasStarred viewerSubscription watchers { totalCount }"
      assert.deepStrictEqual((yield* repository("boats", fields)).data.repository, {
        viewerHasStarred: false,
        viewerSubscription: "UNSUBSCRIBED",
        watchers: { totalCount: 0 }
      })
      yield* ask("PUT", `/user/starred/${owner}/boats`)
      yield* ask("PUT", `${base}/boats/subscription`, { body: { subscribed: true } })
      assert.deepStrictEqual((yield* repository("boats", fields)).data.repository, {
        viewerHasStarred: true,
        viewerSubscription: "SUBSCRIBED",
        watchers: { totalCount: 1 }
      })
      yield* ask("PUT", `${base}/boats/subscription`, { body: { ignored: true } })
      assert.strictEqual((yield* repository("boats", fields)).data.repository.viewerSubscription, "IGNORED")
      const { id } = (yield* get("/user")).json
      const limited = { token: yield* token({ userId: id, kind: "classic", scopes: ["repo"] }) }
      const { errors } = yield* repository("boats", "viewerPossibleCommitEmails", limited)
      assert.strictEqual(errors[0].type, "FORBIDDEN")
    })
  )

  it.effect("have the entries of a tree", () =>
    Effect.gen(function* () {
      const entries =
        "entries { name path type mode size extension submodule { name gitUrl branch subprojectCommitOid } }"
      const { data } = yield* repository("boats", `object(expression: "HEAD:src") { oid ... on Tree { ${entries} } }`)
      const file = { name: "hull.ts", type: "blob", mode: 0o100644, size: 4, extension: ".ts", submodule: null }
      const { oid, entries: found } = data.repository.object
      assert.deepStrictEqual(found, [
        {
          name: "chart",
          path: "src/chart",
          type: "commit",
          mode: 0o160000,
          size: 0,
          extension: "",
          submodule: {
            name: "chart",
            gitUrl: "https://charts.example/chart.git",
            branch: "main",
            subprojectCommitOid: SUBMODULE
          }
        },
        { ...file, path: "src/hull.ts" }
      ])
      const byId = yield* repository("boats", `object(oid: "${oid}") { ... on Tree { ${entries} } }`)
      assert.deepStrictEqual(byId.data.repository.object.entries[1], { ...file, path: null })
      const root = yield* repository("boats", `object(expression: "HEAD:") { ... on Tree { entries { path } } }`)
      assert.include(JSON.stringify(root.data), '"path":"LICENSE"')
    })
  )
})
