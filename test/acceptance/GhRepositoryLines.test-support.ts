/** Lines with all commands of `gh repo` and `gh release`, on the repository of the conformance tests. */
import type { GhLine } from "./GhForge.test-support.ts"

const NAMES = "'[.[].nameWithOwner] | sort | join(\",\")'"

export const repositoryLines: ReadonlyArray<GhLine> = [
  ["gh repo view harbor/hello", /^name:\tharbor\/hello\ndescription:\tGreets every ship\n--\n# Hello/],
  ["gh repo view harbor/hello --branch main", /# Hello/],
  [
    "gh repo view harbor/hello --json $(fields repo view) --jq '.nameWithOwner, .licenseInfo.key, .latestRelease.tagName, .watchers.totalCount, .viewerSubscription, .viewerHasStarred'",
    /^harbor\/hello\nisc\nv1\n2\nSUBSCRIBED\ntrue\n$/
  ],
  ["gh repo list harbor --json $(fields repo list) --jq " + NAMES, "harbor/empty,harbor/hello,harbor/secret\n"],
  ["gh repo list", /^olive\/hello\t/],
  ["gh repo list harbor --topic ships --language TypeScript", /^harbor\/hello\t/],
  ["gh repo list olive --no-archived --visibility public --source --json nameWithOwner --jq " + NAMES, /^$|^\n$/],
  [
    "gh repo create made --private --description 'By gh' --disable-issues --homepage https://made.example",
    /olive\/made\n$/
  ],
  [
    "gh api repos/olive/made --jq '.private, .description, .has_issues, .homepage'",
    "true\nBy gh\nfalse\nhttps://made.example\n"
  ],
  ["gh issue create --repo $GH_HOST/olive/made --title x --body y || true", /disabled issues/],
  ["gh repo create harbor/crewed --private --team crew", /harbor\/crewed\n$/],
  ["gh api orgs/harbor/teams/crew/repos --jq '[.[].name] | sort | join(\",\")'", "crewed,hello\n"],
  ["gh repo create files --public --add-readme --license mit --gitignore Node", /olive\/files\n$/],
  ["gh repo create copy --public --template harbor/hello --include-all-branches", /olive\/copy\n$/],
  ["gh repo view olive/copy --json templateRepository --jq .templateRepository.name", "hello\n"],
  [
    "mkdir ../src && cd ../src && git init -q -b main && git commit -q --allow-empty -m first && gh repo create pushed --source . --private --push --remote up && git ls-remote up refs/heads/main",
    /\trefs\/heads\/main\n$/
  ],
  ["gh repo clone olive/files ../files -- --quiet && ls -A ../files", /\.git\n\.gitignore\nLICENSE\nREADME\.md\n$/],
  ["gh repo fork harbor/hello --org pier --clone=false --fork-name fork --default-branch-only", /pier\/fork/, "newest"],
  ["gh api repos/pier/fork --jq '.fork, .parent.full_name'", "true\nharbor/hello\n", "newest"],
  [
    "gh repo edit harbor/hello --description D --homepage https://h.example --add-topic sails --remove-topic ships --enable-wiki=false --enable-auto-merge --enable-projects=false",
    /^$|Edited repository/
  ],
  [
    "gh api repos/harbor/hello --jq '.description, .homepage, (.topics | sort | join(\",\")), .has_wiki, .allow_auto_merge'",
    "D\nhttps://h.example\ngreetings,sails\nfalse\ntrue\n"
  ],
  [
    "gh repo edit harbor/hello --allow-update-branch --enable-squash-merge --squash-merge-commit-message pr-title --enable-discussions=false",
    /^$|Edited repository/,
    "newest"
  ],
  ["gh api repos/harbor/hello --jq '.allow_update_branch, .squash_merge_commit_title'", "true\nPR_TITLE\n", "newest"],
  [
    "gh repo edit olive/made --visibility public --accept-visibility-change-consequences",
    /^$|Edited repository/,
    "newest"
  ],
  ["gh repo edit olive/copy --default-branch side", /^$|Edited repository/],
  ["gh api repos/olive/copy --jq .default_branch", "side\n"],
  [
    "gh repo rename renamed --repo $GH_HOST/olive/made --yes || gh repo rename renamed --repo $GH_HOST/olive/made --confirm",
    /^$|Renamed repository/
  ],
  ["gh repo archive olive/renamed --yes || gh repo archive olive/renamed --confirm", /^$|Archived repository/],
  ["gh api repos/olive/renamed --jq .archived", "true\n"],
  ["gh repo unarchive olive/renamed --yes", /^$|Unarchived repository/, "newest"],
  ["gh repo sync olive/hello", /^$|Synced/],
  ["gh repo sync olive/hello --branch main --force", /^$|Synced/],
  ["gh repo deploy-key list", /^1\tdeploy\tread-only\t/],
  [
    "ssh-keygen -q -t ed25519 -N '' -f ../key && gh repo deploy-key add ../key.pub --title dk --allow-write",
    /^$|Deploy key added/
  ],
  [
    "gh repo deploy-key list --json $(fields repo deploy-key list) --jq '.[] | select(.title == \"dk\").read_only'",
    "false\n",
    "newest"
  ],
  [
    "gh repo deploy-key delete $(gh api repos/harbor/hello/keys --jq '.[] | select(.title == \"dk\").id')",
    /^$|Deploy key deleted/
  ],
  ["gh api repos/harbor/hello/keys --jq '[.[].title] | index(\"dk\")'", /^(null)?\n?$/],
  ["gh repo autolink list", /^1\tTICKET-\t/, "newest"],
  ["gh repo autolink create T- 'https://t.example/<num>'", /autolink 3/, "newest"],
  ["gh repo autolink view 3 --json $(fields repo autolink view) --jq .keyPrefix", "T-\n", "newest"],
  ["gh repo autolink delete 3 --yes", /^$|Autolink/, "newest"],
  ["gh api repos/harbor/hello/autolinks --jq 'map(.key_prefix) | index(\"T-\")'", /^(null)?\n?$/],
  ["gh repo license list", /^agpl-3\.0\t/, "newest"],
  ["gh repo license view mit", /^MIT License\n/, "newest"],
  ["gh repo gitignore list", /\nGo\n/, "newest"],
  ["gh repo gitignore view Go", /\*\.exe/, "newest"],
  ["gh repo read-file README.md", "# Hello\n\nships\n", "newest"],
  [
    "gh repo read-file src/greet.ts --ref main --json $(fields repo read-file) --jq '.path, .size'",
    "src/greet.ts\n28\n",
    "newest"
  ],
  ["gh repo read-dir src", /README\.md[^]*greet\.ts/, "newest"],
  [
    "gh repo read-dir --json $(fields repo read-dir) --jq '[.entries[]?.name, .[]?.name?] | index(\"LICENSE\") != null'",
    "true\n",
    "newest"
  ],
  [
    "gh repo set-default $GH_HOST/harbor/hello && gh repo set-default --view && gh repo set-default --unset",
    /harbor\/hello/,
    "newest"
  ],
  [
    "gh repo delete olive/renamed --yes || gh repo delete olive/renamed --confirm",
    /^$|Deleted repository|unknown flag/
  ],
  ["gh api repos/olive/renamed --jq .message || true", /Not Found/],

  ["gh release list", /v0\.1[^]*First\tLatest\tv1\t/],
  ["gh release list --json $(fields release list) --jq '.[] | select(.isLatest).tagName'", "v1\n", "newest"],
  ["gh release view v1", /title:\tFirst\ntag:\tv1\n[^]*asset:\tgreet\.txt\n[^]*Greets \*every\* ship\./],
  [
    "gh release view v1 --json $(fields release view) --jq '.tagName, .assets[0].name, .author.login'",
    "v1\ngreet.txt\nolive\n"
  ],
  ["printf one > ../one.txt && printf two > ../two.txt", ""],
  ["gh release create v9 ../one.txt#First --notes 'All ships' --title Ninth --target main", /releases\/tag\/v9\n$/],
  ["gh release create v10 --draft --notes ''", /untagged-/],
  ["gh release create v1.1 --verify-tag --generate-notes || true", /tag v1\.1 doesn't exist/, "newest"],
  [
    "gh release create light --verify-tag --notes-from-tag --fail-on-no-commits=false",
    /releases\/tag\/light\n$/,
    "newest"
  ],
  ["gh release create v11 --generate-notes --notes-start-tag v1 --latest=false --prerelease", /tag\/v11\n$/, "newest"],
  ["gh release view v11 --json body --jq .body", /Full Changelog.*compare\/v1\.\.\.v11/, "newest"],
  ["gh release upload v9 ../two.txt", /^$|Successfully uploaded 1 asset/],
  ["gh release upload v9 ../two.txt || true", /already exists|asset under the same name/],
  [
    'gh release view v9 --json assets --jq \'[.assets[] | .name + " " + .label] | join(",")\'',
    "one.txt First,two.txt \n"
  ],
  ["gh release upload v9 ../two.txt --clobber", /^$|Successfully uploaded 1 asset/],
  ["gh release download v9 --dir ../down && cat ../down/one.txt ../down/two.txt", "onetwo"],
  ["gh release download v9 --archive=zip --dir ../down && ls ../down", /hello.*\.zip\n/],
  ["gh release download v1 --pattern 'greet*' --output - ", "ahoy\n", "newest"],
  ["gh release edit v9 --prerelease --title Tenth", /tag\/v9\n$/],
  ["gh api repos/harbor/hello/releases/latest --jq .tag_name", /^(light|v1)\n$/],
  ["gh release edit v10 --draft=false", /tag\/v10\n$/],
  ["gh release view --json tagName --jq .tagName", "v10\n"],
  [
    "gh release create v12 --generate-notes && gh release view v12 --json body --jq .body",
    /Full Changelog.*compare\/v1[01]\.\.\.v12/
  ],
  ["gh api repos/harbor/hello/releases/tags/v9 --jq '.name, .prerelease'", "Tenth\ntrue\n"],
  ["gh release delete-asset v9 two.txt --yes", /^$|Deleted asset/],
  ["gh release view v9 --json assets --jq '[.assets[].name] | join(\",\")'", "one.txt\n"],
  ["gh release delete v9 --yes --cleanup-tag", /^$|Deleted release and tag/],
  ["gh api repos/harbor/hello/git/ref/tags/v9 --jq .message || true", /Not Found/]
]
