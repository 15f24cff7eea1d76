/**
 * Typical queries over all clones together and the relevant files, any of which is a correct first result. Chosen from
 * the sources before the ranking was run, by language and repository. Half of the queries are held out.
 */
export const judgedClones: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  C: {
    "torvalds/linux": {
      tcp_v4_rcv: "net/ipv4/tcp_ipv4.c",
      [String.raw`/\btcp_v4_rcv\b/`]: "net/ipv4/tcp_ipv4.c",
      mutex_lock: "kernel/locking/mutex.c include/linux/mutex.h",
      [String.raw`/\bmutex_lock\(/`]: "kernel/locking/mutex.c include/linux/mutex.h",
      list_head: "include/linux/types.h",
      list_for_each_entry: "include/linux/list.h",
      kmalloc: "include/linux/slab.h",
      copy_from_user: "include/linux/uaccess.h",
      container_of: "include/linux/container_of.h",
      task_struct: "include/linux/sched.h",
      sk_buff: "include/linux/skbuff.h",
      "struct file_operations": "include/linux/fs.h",
      printk: "include/linux/printk.h kernel/printk/printk.c",
      schedule_timeout: "kernel/time/timer.c",
      kernel_clone: "kernel/fork.c",
      [String.raw`/try_to_wake_up\(/`]: "kernel/sched/core.c",
      vfs_read: "fs/read_write.c",
      "oom kill": "mm/oom_kill.c",
      handle_mm_fault: "mm/memory.c",
      rb_insert_color: "lib/rbtree.c",
      [String.raw`/\bxa_load\(/`]: "lib/xarray.c",
      spin_lock_irqsave: "include/linux/spinlock.h",
      [String.raw`/struct inode \{/`]: "include/linux/fs.h",
      "slab allocator": "mm/slab.c mm/slub.c mm/slob.c mm/slab_common.c mm/slab.h include/linux/slab.h",
      ext4_fill_super: "fs/ext4/super.c",
      BUILD_BUG_ON: "include/linux/build_bug.h",
      do_sys_openat2: "fs/open.c",
      netif_receive_skb: "net/core/dev.c",
      READ_ONCE: "include/asm-generic/rwonce.h",
      ARRAY_SIZE: "include/linux/kernel.h",
      kref_put: "include/linux/kref.h",
      wait_event_interruptible: "include/linux/wait.h",
      [String.raw`/\bkfree_skb\w*\(/`]: "net/core/skbuff.c include/linux/skbuff.h",
      idr_alloc: "lib/idr.c",
      "kthread create": "kernel/kthread.c include/linux/kthread.h",
      "/^#define min_t/": "include/linux/minmax.h",
      "cgroup attach": "kernel/cgroup/cgroup.c kernel/cgroup/cgroup-v1.c"
    },
    "redis/redis": {
      dictFind: "src/dict.c",
      zslInsert: "src/t_zset.c",
      [String.raw`/\bprocessCommand\(/`]: "src/server.c",
      hyperloglog: "src/hyperloglog.c",
      rdbSave: "src/rdb.c",
      "quicklist push": "src/quicklist.c",
      aeProcessEvents: "src/ae.c",
      redisCommand: "src/server.h"
    },
    "git/git": {
      strbuf_addf: "strbuf.c",
      [String.raw`/\bparse_options\(/`]: "parse-options.c",
      commit_tree: "commit.c",
      object_id: "hash.h object.h",
      rerere: "rerere.c",
      "pack bitmap": "pack-bitmap.c",
      xdl_diff: "xdiff/xdiffi.c"
    },
    "curl/curl": {
      curl_easy_perform: "lib/easy.c",
      "cookie jar": "lib/cookie.c lib/setopt.c",
      [String.raw`/\bcurl_multi_perform\b/`]: "lib/multi.c",
      hsts: "lib/hsts.c"
    },
    "madler/zlib": {
      deflateInit2_: "deflate.c",
      crc32_combine: "crc32.c",
      [String.raw`/\badler32\(/`]: "adler32.c"
    },
    "jqlang/jq": {
      jv_parse: "src/jv_parse.c"
    },
    "libuv/libuv": {
      uv_run: "src/unix/core.c src/win/core.c"
    },
    "lua/lua": {
      luaV_execute: "lvm.c",
      lua_pushstring: "lapi.c"
    }
  },
  Go: {
    "gin-gonic/gin": {
      RouterGroup: "routergroup.go",
      ShouldBindJSON: "context.go",
      LoggerWithConfig: "logger.go",
      [String.raw`/\baddRoute\(/`]: "tree.go gin.go",
      BasicAuthForRealm: "auth.go"
    },
    "spf13/cobra": {
      PersistentPreRun: "command.go",
      ExactArgs: "args.go",
      [String.raw`/GenBashCompletion\(/`]: "bash_completions.go",
      SuggestionsFor: "command.go",
      MarkFlagRequired: "shell_completions.go",
      OnInitialize: "cobra.go"
    },
    "etcd-io/bbolt": {
      "bucket cursor": "bucket.go cursor.go",
      [String.raw`/func Open\(/`]: "db.go",
      NoFreelistSync: "db.go",
      CreateBucketIfNotExists: "bucket.go tx.go"
    },
    "caddyserver/caddy": {
      RegisterModule: "modules.go",
      "reverse proxy": "modules/caddyhttp/reverseproxy/reverseproxy.go",
      Dispenser: "caddyconfig/caddyfile/dispenser.go",
      MatchPath: "modules/caddyhttp/matchers.go",
      "file server":
        "modules/caddyhttp/fileserver/staticfiles.go modules/caddyhttp/fileserver/caddyfile.go modules/caddyhttp/fileserver/command.go",
      [String.raw`/\bReplacer\b/`]: "replacer.go"
    },
    "cli/cli": {
      NewCmdRoot: "pkg/cmd/root/root.go",
      ColorScheme: "pkg/iostreams/color.go",
      "pr checkout": "pkg/cmd/pr/checkout/checkout.go",
      AuthConfig: "internal/config/config.go internal/gh/gh.go",
      tableprinter: "internal/tableprinter/table_printer.go",
      SmartBaseRepoFunc: "pkg/cmd/factory/default.go",
      [String.raw`/\bIOStreams\b/`]: "pkg/iostreams/iostreams.go",
      "extension manager": "pkg/cmd/extension/manager.go pkg/extensions/extension.go"
    },
    "junegunn/fzf": {
      FuzzyMatchV2: "src/algo/algo.go",
      ChunkCache: "src/cache.go",
      LightRenderer: "src/tui/light.go",
      EventBox: "src/util/eventbox.go",
      [String.raw`/\bTokenize\(/`]: "src/tokenizer.go",
      "http server listen": "src/server.go"
    },
    "prometheus/prometheus": {
      scrapePool: "scrape/scrape.go",
      ScrapeConfig: "config/config.go",
      [String.raw`/\bPostingsForMatchers\(/`]: "tsdb/querier.go",
      "rule manager": "rules/manager.go",
      "relabel config": "model/relabel/relabel.go",
      QueueManager: "storage/remote/queue_manager.go",
      NewEngine: "promql/engine.go"
    }
  },
  Python: {
    "pallets/flask": {
      Blueprint: "src/flask/blueprints.py src/flask/sansio/blueprints.py",
      url_for: "src/flask/helpers.py src/flask/app.py",
      MethodView: "src/flask/views.py",
      stream_with_context: "src/flask/helpers.py",
      "session cookie": "src/flask/sessions.py",
      [String.raw`/def jsonify\(/`]: "src/flask/json/__init__.py",
      [String.raw`/\bAppContext\b/`]: "src/flask/ctx.py"
    },
    "psf/requests": {
      HTTPAdapter: "src/requests/adapters.py",
      PreparedRequest: "src/requests/models.py",
      CaseInsensitiveDict: "src/requests/structures.py",
      resolve_redirects: "src/requests/sessions.py",
      HTTPDigestAuth: "src/requests/auth.py",
      [String.raw`/guess_json_utf\(/`]: "src/requests/utils.py"
    },
    "pallets/click": {
      CliRunner: "src/click/testing.py",
      BadParameter: "src/click/exceptions.py",
      progressbar: "src/click/termui.py",
      pass_context: "src/click/decorators.py",
      ParamType: "src/click/types.py",
      [String.raw`/\bget_app_dir\(/`]: "src/click/utils.py"
    },
    "pallets/jinja": {
      FileSystemLoader: "src/jinja2/loaders.py",
      CodeGenerator: "src/jinja2/compiler.py",
      SandboxedEnvironment: "src/jinja2/sandbox.py",
      do_groupby: "src/jinja2/filters.py",
      "native types": "src/jinja2/nativetypes.py"
    },
    "pytest-dev/pytest": {
      MonkeyPatch: "src/_pytest/monkeypatch.py",
      "assertion rewrite": "src/_pytest/assertion/rewrite.py",
      FixtureRequest: "src/_pytest/fixtures.py",
      tmp_path: "src/_pytest/tmpdir.py",
      ExceptionInfo: "src/_pytest/_code/code.py",
      junitxml: "src/_pytest/junitxml.py",
      [String.raw`/\bparametrize\(/`]: "src/_pytest/python.py",
      capsys: "src/_pytest/capture.py"
    },
    "encode/httpx": {
      AsyncClient: "httpx/_client.py",
      MockTransport: "httpx/_transports/mock.py",
      ASGITransport: "httpx/_transports/asgi.py",
      [String.raw`/\bDigestAuth\b/`]: "httpx/_auth.py"
    },
    "fastapi/fastapi": {
      APIRouter: "fastapi/routing.py",
      Depends: "fastapi/param_functions.py fastapi/params.py",
      OAuth2PasswordBearer: "fastapi/security/oauth2.py",
      [String.raw`/\bjsonable_encoder\(/`]: "fastapi/encoders.py",
      HTTPException: "fastapi/exceptions.py",
      solve_dependencies: "fastapi/dependencies/utils.py"
    },
    "psf/black": {
      LineGenerator: "src/black/linegen.py",
      "magic trailing comma": "src/black/linegen.py src/black/lines.py src/black/mode.py src/black/brackets.py",
      format_file_in_place: "src/black/__init__.py"
    },
    "tqdm/tqdm": {
      format_sizeof: "tqdm/std.py",
      [String.raw`/\btrange\(/`]: "tqdm/std.py",
      tqdm_notebook: "tqdm/notebook.py"
    }
  },
  TypeScript: {
    "expressjs/express": {
      sendFile: "lib/response.js",
      createApplication: "lib/express.js",
      "view lookup": "lib/view.js",
      [String.raw`/\bcompileETag\b/`]: "lib/utils.js"
    },
    "axios/axios": {
      CancelToken: "lib/cancel/CancelToken.js",
      InterceptorManager: "lib/core/InterceptorManager.js",
      AxiosError: "lib/core/AxiosError.js",
      buildURL: "lib/helpers/buildURL.js",
      mergeConfig: "lib/core/mergeConfig.js",
      [String.raw`/\bdispatchRequest\(/`]: "lib/core/dispatchRequest.js",
      AxiosHeaders: "lib/core/AxiosHeaders.js"
    },
    "vuejs/core": {
      defineComponent: "packages/runtime-core/src/apiDefineComponent.ts",
      createRenderer: "packages/runtime-core/src/renderer.ts",
      nextTick: "packages/runtime-core/src/scheduler.ts",
      effectScope: "packages/reactivity/src/effectScope.ts",
      shallowReadonly: "packages/reactivity/src/reactive.ts",
      ReactiveEffect: "packages/reactivity/src/effect.ts",
      [String.raw`/\bpatchProp\b/`]: "packages/runtime-dom/src/patchProp.ts",
      KeepAlive: "packages/runtime-core/src/components/KeepAlive.ts",
      "transform element": "packages/compiler-core/src/transforms/transformElement.ts",
      "/export function computed/": "packages/reactivity/src/computed.ts"
    },
    "vitejs/vite": {
      createServer: "packages/vite/src/node/server/index.ts",
      ModuleGraph: "packages/vite/src/node/server/moduleGraph.ts packages/vite/src/node/server/mixedModuleGraph.ts",
      resolveConfig: "packages/vite/src/node/config.ts",
      "import analysis": "packages/vite/src/node/plugins/importAnalysis.ts",
      optimizeDeps: "packages/vite/src/node/optimizer/index.ts",
      [String.raw`/\bloadEnv\(/`]: "packages/vite/src/node/env.ts",
      transformRequest: "packages/vite/src/node/server/transformRequest.ts"
    },
    "nodejs/undici": {
      ProxyAgent: "lib/dispatcher/proxy-agent.js",
      RetryHandler: "lib/handler/retry-handler.js",
      MockAgent: "lib/mock/mock-agent.js",
      [String.raw`/\bBalancedPool\b/`]: "lib/dispatcher/balanced-pool.js",
      "websocket frame": "lib/web/websocket/frame.js",
      EventSource: "lib/web/eventsource/eventsource.js"
    },
    "prettier/prettier": {
      printDocToString: "src/document/printer/printer.js",
      propagateBreaks: "src/document/utilities/index.js src/document/utilities/propagate-breaks.js",
      needsParentheses: "src/language-js/parentheses/needs-parentheses.js",
      getSupportInfo: "src/main/support.js",
      [String.raw`/\bprintComments\(/`]: "src/main/comments/print.js",
      "embed markdown": "src/language-markdown/embed.js src/language-js/embed/markdown.js"
    },
    "reduxjs/redux": {
      combineReducers: "src/combineReducers.ts",
      bindActionCreators: "src/bindActionCreators.ts",
      [String.raw`/\bapplyMiddleware\(/`]: "src/applyMiddleware.ts",
      isPlainObject: "src/utils/isPlainObject.ts"
    },
    "chalk/chalk": {
      "supports color": "source/vendor/supports-color/index.js"
    }
  },
  Rust: {
    "tokio-rs/tokio": {
      JoinHandle: "tokio/src/runtime/task/join.rs",
      spawn_blocking: "tokio/src/task/blocking.rs tokio/src/runtime/blocking/pool.rs",
      CancellationToken: "tokio-util/src/sync/cancellation_token.rs",
      TcpListener: "tokio/src/net/tcp/listener.rs",
      [String.raw`/\bLinesCodec\b/`]: "tokio-util/src/codec/lines_codec.rs",
      "mpsc bounded": "tokio/src/sync/mpsc/bounded.rs"
    },
    "serde-rs/serde": {
      [String.raw`/trait Visitor\b/`]: "serde_core/src/de/mod.rs",
      expand_derive_serialize: "serde_derive/src/ser.rs",
      IgnoredAny: "serde_core/src/de/ignored_any.rs"
    },
    "clap-rs/clap": {
      ArgMatches: "clap_builder/src/parser/matches/arg_matches.rs",
      ValueParser: "clap_builder/src/builder/value_parser.rs",
      ArgGroup: "clap_builder/src/builder/arg_group.rs"
    },
    "BurntSushi/ripgrep": {
      WalkBuilder: "crates/ignore/src/walk.rs",
      GlobSet: "crates/globset/src/lib.rs",
      LineBuffer: "crates/searcher/src/line_buffer.rs",
      [String.raw`/\bRegexMatcher\b/`]: "crates/regex/src/matcher.rs",
      "gitignore builder": "crates/ignore/src/gitignore.rs"
    }
  },
  Java: {
    "google/gson": {
      TypeToken: "gson/src/main/java/com/google/gson/reflect/TypeToken.java",
      JsonReader: "gson/src/main/java/com/google/gson/stream/JsonReader.java",
      TypeAdapter: "gson/src/main/java/com/google/gson/TypeAdapter.java",
      LinkedTreeMap: "gson/src/main/java/com/google/gson/internal/LinkedTreeMap.java",
      [String.raw`/\bGsonBuilder\b/`]: "gson/src/main/java/com/google/gson/GsonBuilder.java",
      registerTypeAdapter: "gson/src/main/java/com/google/gson/GsonBuilder.java"
    },
    "spring-projects/spring-petclinic": {
      OwnerController: "src/main/java/org/springframework/samples/petclinic/owner/OwnerController.java",
      [String.raw`/\bPetValidator\b/`]: "src/main/java/org/springframework/samples/petclinic/owner/PetValidator.java"
    }
  }
}
