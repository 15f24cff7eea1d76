/** The table of gh's commands and the counterparts of `tongs`. A test compares the rows with docs/guides/from-gh.md. */

/** The cells of the rows in Markdown. */
export const rows: ReadonlyArray<readonly [gh: string, tongs: string]> = [
  ["`gh repo view O/R`", "`tongs repositories get O/R`"],
  ["`gh repo view O/R --json languages`", "`tongs repositories languages O/R`"],
  ["`gh repo list`", "`tongs repositories mine --affiliation owner --sort pushed`"],
  ["`gh repo list ORG --visibility private`", "`tongs repositories list-for-organization ORG --type private`"],
  ["`gh repo create NAME --private`", "`tongs repositories create --name NAME --private`"],
  ["`gh repo edit O/R --description TEXT`", "`tongs repositories update O/R --description TEXT`"],
  ["`gh repo delete O/R`", "`tongs repositories delete O/R`, which asks unless `--yes`"],
  ["`gh repo clone O/R`", "`git clone URL`; your account's repositories: [explorer](../explorer.md)"],
  ["`gh repo sync O/R`", "`tongs branches merge-upstream O/R --branch main`"],
  ["`gh search code TEXT`", "`tongs search TEXT`, `tongs grep PATTERN`"],
  ["`gh ruleset list --org ORG`", "`tongs rulesets list ORG`"],
  ["`gh ssh-key list`, `add`, `delete`", "`tongs keys mine`, `create`, `delete`"],
  [
    "`gh run download RUN -n NAME`",
    "`tongs artifacts list-for-run O/R RUN`, then `tongs artifacts download O/R ID -o FILE` (the zip file)"
  ],
  [
    "`gh browse`",
    "`tongs repositories get --web`, or `--jq .html_url` for its address; `tongs explore` to read the files"
  ],
  ["`gh auth login`, `status`, `logout`", "`tongs auth login`, `status`, `logout`"],
  ["`gh api`", "`tongs api`"],
  ["`gh status`", "`tongs`, the [terminal UI](../tui.md), or `tongs --plain`"],
  [
    "`gh completion -s bash`",
    "`tongs --completions bash`: [the files of the scripts](../configuration.md#shell-completion)"
  ],
  ["`gh pr`", "`tongs pulls`; or gh itself: `tongs run -- gh pr list`"],
  ["`gh issue`", "`tongs issues`, `tongs issue-comments`; or gh itself: `tongs run -- gh issue list`"],
  ["`gh label`", "`tongs labels`; or gh itself: `tongs run -- gh label list`"],
  ["`gh release`", "none yet, on the embedded forge neither; on GitHub: `tongs api 'repos/{owner}/{repo}/releases'`"],
  [
    "`gh run list`, `view`",
    "none yet, on the embedded forge neither; on GitHub: `tongs api 'repos/{owner}/{repo}/actions/runs'`"
  ],
  [
    "`gh workflow`",
    "none yet, on the embedded forge neither; on GitHub: `tongs api 'repos/{owner}/{repo}/actions/workflows'`"
  ],
  [
    "`gh cache`",
    "none yet, on the embedded forge neither; on GitHub: `tongs api 'repos/{owner}/{repo}/actions/caches'`"
  ],
  [
    "`gh secret`",
    "none yet, on the embedded forge neither; on GitHub: `tongs api 'repos/{owner}/{repo}/actions/secrets'`"
  ],
  [
    "`gh variable`",
    "none yet, on the embedded forge neither; on GitHub: `tongs api 'repos/{owner}/{repo}/actions/variables'`"
  ],
  ["`gh gist`", "none yet, on the embedded forge neither; on GitHub: `tongs api gists`"],
  ["`gh org list`", "`tongs organizations mine`"],
  ["`gh project`, `codespace`, `attestation`, `gpg-key`", "none; use gh"],
  ["`gh alias`, `extension`, `config`", "none; aliases of your shell, [the config file](../configuration.md)"],
  ["`gh help COMMAND`", "`tongs help COMMAND`, or `--help`"]
]
