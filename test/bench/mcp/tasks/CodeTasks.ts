/** Tasks that find and read code. */
import { bash, call, forgeLacks, type Task } from "./Task.ts"

const REPO = "ada/tongs"
const github = { owner: "ada", repo: "tongs" }
const readFile = (path: string, given: object = {}) => call("get_file_contents", { ...github, path, ...given })

export const codeTasks: ReadonlyArray<Task> = [
  {
    name: "find a text",
    question: 'Which line of ada/tongs has the text "More: call again with" and calls nextCall?',
    thread: "github/github-mcp-server#965",
    facts: ["apps/mcp/src/answer/AnswerLines.ts", "JSON.stringify(nextCall(next).arguments)"],
    scripts: {
      tongs: [call("search_code", { query: '"More: call again with" nextCall', repo: REPO })],
      "github-mcp-server": [
        call("search_code", { query: '"More: call again with" nextCall repo:ada/tongs' }, { path: /"path":"([^"]+)"/ }),
        readFile("$path")
      ],
      shell: [bash('rg -n "More: call again with.*nextCall" tongs')]
    }
  },
  {
    name: "find a definition",
    question: "Where does ada/tongs define collectionRules? Show the line.",
    facts: ["packages/core/src/contract/Relations.ts", "const collectionRules: ReadonlyArray<"],
    scripts: {
      tongs: [call("symbols", { name: "collectionRules", repo: REPO })],
      "github-mcp-server": [
        call("search_code", { query: "collectionRules repo:ada/tongs" }, { path: /"path":"([^"]+)"/ }),
        readFile("$path")
      ],
      shell: [bash("rg -n '(const|function|class|type|interface) collectionRules' tongs")]
    }
  },
  {
    name: "find the uses of a function",
    question: "Which lines of ada/tongs call shortenCounted?",
    facts: [
      "apps/mcp/src/files/ReadBack.test.ts",
      "apps/mcp/src/text/TextChunks.ts",
      "apps/mcp/src/tools/ReadFile.ts",
      "apps/mcp/src/writes/Question.ts",
      "Truncation.shortenCounted(line, MAX_LINE)",
      "Truncation.shortenCounted(one, MAX_LINE)",
      "Truncation.shortenCounted(sanitizeText(request.path), MAX_LENGTH)"
    ],
    scripts: {
      tongs: [call("symbols", { name: "shortenCounted", kind: "references", repo: REPO })],
      "github-mcp-server": [
        call(
          "search_code",
          { query: "shortenCounted repo:ada/tongs" },
          {
            a: /"path":"([^"]*ReadBack[^"]*)"/,
            b: /"path":"([^"]*TextChunks[^"]*)"/,
            c: /"path":"([^"]*ReadFile[^"]*)"/,
            d: /"path":"([^"]*Question[^"]*)"/
          }
        ),
        ...["$a", "$b", "$c", "$d"].map((path) => readFile(path))
      ],
      shell: [bash("rg -n 'shortenCounted\\(' tongs")]
    }
  },
  {
    name: "read some lines of a file",
    question: "Show lines 77 to 100 of apps/mcp/src/tools/ReadFile.ts in ada/tongs.",
    thread: "github/github-mcp-server#350",
    facts: ["const readOne = Effect.fnUntraced(function* (input: OneInput, call: Call)"],
    scripts: {
      tongs: [call("read_file", { path: "apps/mcp/src/tools/ReadFile.ts", lines: "77-100", repo: REPO })],
      "github-mcp-server": [readFile("apps/mcp/src/tools/ReadFile.ts")],
      shell: [bash("sed -n 77,100p tongs/apps/mcp/src/tools/ReadFile.ts")]
    }
  },
  {
    name: "list a folder",
    question: "Which files are in apps/mcp/src/writes of ada/tongs?",
    thread: "modelcontextprotocol/servers#1337",
    facts: ["Confirmation.ts", "SealedState.test.ts", "Writes.test-support.ts"],
    scripts: {
      tongs: [call("list_files", { path: "apps/mcp/src/writes", repo: REPO })],
      "github-mcp-server": [readFile("apps/mcp/src/writes", { fields: ["name"] })],
      shell: [bash("ls tongs/apps/mcp/src/writes")]
    }
  },
  {
    name: "find files by name",
    question: "Which files below apps/mcp of ada/tongs have Token in their name?",
    facts: ["TokenEstimate.test-support.ts", "TokenVocabulary.ts", "TokenVocabularyData.ts"],
    scripts: {
      tongs: [call("list_files", { path: "apps/mcp", glob: "**/*Token*", repo: REPO })],
      "github-mcp-server": [call("get_repository_tree", { ...github, path_filter: "apps/mcp", recursive: true })],
      shell: [bash("find tongs/apps/mcp -name '*Token*'")]
    }
  },
  {
    name: "outline a file",
    question: "Which functions does packages/core/src/text/Table.ts of ada/tongs have?",
    facts: ["render", "pick", "indexesThatFit", "needed", "fit", "level"],
    scripts: {
      tongs: [call("symbols", { path: "packages/core/src/text/Table.ts", repo: REPO })],
      "github-mcp-server": [readFile("packages/core/src/text/Table.ts")],
      shell: [bash("rg -n '(const|function) .*(=>|<A>|<Row>\\()' tongs/packages/core/src/text/Table.ts")]
    }
  },
  {
    name: "compare one field of several files",
    question:
      'What is the "description" in package.json of packages/core, packages/client and packages/testing of ada/tongs?',
    facts: ["programs with Effect", "GitHub and GitHub-style forges", "A GitHub-style forge inside a test"],
    scripts: {
      tongs: [call("search_code", { query: '"description" path:packages/*/package.json', repo: REPO })],
      "github-mcp-server": ["core", "client", "testing"].map((name) => readFile(`packages/${name}/package.json`)),
      shell: [bash("rg '\"description\"' tongs/packages/{core,client,testing}/package.json")]
    }
  },
  {
    name: "read the READMEs of an account",
    question: "What do the READMEs of the repositories of ada say?",
    facts: ["Knots worth knowing", "browse, search and script your git repositories"],
    scripts: {
      tongs: [
        call(
          "list_repositories",
          { owner: "ada" },
          { a: /^(ada\/knots) /m, b: /^(ada\/sketches) /m, c: /^(ada\/tongs) /m }
        ),
        call("read_file", { path: "README", repos: ["$a", "$b", "$c"] })
      ],
      "github-mcp-server": forgeLacks("GET /search/repositories"),
      shell: [
        bash("gh repo list ada", { a: /^(ada\/knots)/m, b: /^(ada\/sketches)/m, c: /^(ada\/tongs)/m }),
        bash("for r in $a $b $c; do gh api repos/$r/readme -H 'Accept: application/vnd.github.raw'; done; true")
      ]
    }
  },
  {
    name: "read a file of a tag",
    question: "What are the first 5 lines of docs/versioning.md at the tag v1.0.0 of ada/tongs?",
    facts: ["# Versions"],
    scripts: {
      tongs: [call("read_file", { path: "docs/versioning.md", lines: "1-5", ref: "v1.0.0", repo: REPO })],
      "github-mcp-server": [readFile("docs/versioning.md", { ref: "refs/tags/v1.0.0" })],
      shell: [bash("git -C tongs show v1.0.0:docs/versioning.md | head -5")]
    }
  }
]
