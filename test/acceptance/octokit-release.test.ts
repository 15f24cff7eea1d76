/** @octokit/rest creates a release with generated notes and assets, as release tools do. */
import { expect, it } from "vitest"
import { one, servePeople } from "./PeopleForge.test-support.ts"

const hulls = { owner: "yard", repo: "hulls" }

it("Octokit: a draft with an asset is published, found and downloaded", async () => {
  const { octokit, rest } = await servePeople("rosa")
  const { repos } = rest
  const { data: draft } = await repos.createRelease({ ...hulls, tag_name: "v9.0.0", draft: true })
  const uploaded = await octokit.request({
    method: "POST",
    url: draft.upload_url,
    name: "hull.bin",
    label: "The hull",
    data: Buffer.from("steel"),
    headers: { "content-type": "application/x-hull" }
  })
  expect(uploaded.status).toBe(201)
  expect(uploaded.data).toMatchObject({
    name: "hull.bin",
    label: "The hull",
    content_type: "application/x-hull",
    size: 5
  })
  const { data: notes } = await repos.generateReleaseNotes({ ...hulls, tag_name: "v9.0.0" })
  expect(notes.body).toContain("**Full Changelog**")
  const release_id = draft.id
  const { data: release } = await repos.updateRelease({ ...hulls, release_id, draft: false, body: notes.body })
  expect([release.draft, release.body]).toEqual([false, notes.body])
  expect((await repos.getLatestRelease(hulls)).data).toEqual(release)
  expect((await repos.getReleaseByTag({ ...hulls, tag: "v9.0.0" })).data).toEqual(release)
  expect(await octokit.paginate(repos.listReleases, { ...hulls, ...one })).toContainEqual(release)
  const [asset] = release.assets
  const { data: file } = await repos.getReleaseAsset({
    ...hulls,
    asset_id: asset?.id ?? 0,
    headers: { accept: "application/octet-stream" }
  })
  expect(Buffer.from(file as unknown as ArrayBuffer).toString()).toBe("steel") // oxlint-disable-line typescript/no-unsafe-type-assertion -- bytes, by the media type
  await repos.deleteRelease({ ...hulls, release_id })
  expect((await octokit.paginate(repos.listReleases, hulls)).length).toBe(0)
})
