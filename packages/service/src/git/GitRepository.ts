import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import * as Ancestry from "./history/Ancestry.ts"
import type { CatFile } from "./process/CatFile.ts"
import * as Differences from "./history/Differences.ts"
import * as DiffText from "./history/DiffText.ts"
import type * as RepositoryFormat from "./values/RepositoryFormat.ts"
import type { Git } from "./process/Git.ts"
import type { GitError } from "./values/GitError.ts"
import type { ObjectFormat } from "./values/GitObject.ts"
import * as Log from "./history/Log.ts"
import * as Objects from "./objects/Objects.ts"
import * as ObjectWriter from "./objects/ObjectWriter.ts"
import * as Refs from "./refs/Refs.ts"
import type * as RefTransactions from "./refs/RefTransactions.ts"
import * as RefWriter from "./refs/RefWriter.ts"
import type { RepositoryCaches } from "./RepositoryCaches.ts"
import type { RepositoryLocation } from "./values/RepositoryLocation.ts"
import * as Revisions from "./refs/Revisions.ts"
import * as SourceArchive from "./objects/SourceArchive.ts"
import * as TreeFiles from "./objects/TreeFiles.ts"

/**
 * One repository, read and written in place. Other git programs may use it at the same time.
 *
 * Object ids are unabbreviated and lower case. A missing object or reference gives `undefined`.
 */
export interface GitRepository
  extends Objects.Objects, ObjectWriter.ObjectWriter, RefWriter.RefWriter, Ancestry.Ancestry, TreeFiles.TreeFiles {
  /** The top of the work tree, or the bare repository. */
  readonly path: string
  /** The isolated git directory for git commands, which ignores the repository's configuration. */
  readonly gitDir: string
  /** An isolated git directory whose HEAD names the default branch, for clones and pushes. */
  readonly transferDir: Effect.Effect<string, GitError>
  /** Like `transferDir`, with the references of pull requests, for clones and fetches only. */
  readonly uploadDir: Effect.Effect<string, GitError>
  readonly bare: boolean
  readonly objectFormat: ObjectFormat
  /**
   * False if the configuration file changed since the repository was opened. Reopening may then give another format.
   */
  readonly isCurrent: () => boolean
  /** Completes when the repository is deleted. */
  readonly closed: Effect.Effect<void>
  /** The default branch without `refs/heads/`. The branch may not exist yet. */
  readonly head: Effect.Effect<string, GitError>
  /** The default branch with its reference. */
  readonly tip: Effect.Effect<Refs.Tip, GitError>
  /** The default branch, if known without a wait. Adds the dependency on the branch to `sources`. */
  readonly knownTip: Refs.Refs["knownTip"]
  /**
   * The id of the default branch, read from files without git, which may be of no readable commit. Undefined if the files
   * do not give the id alone, for example before the first commit.
   */
  readonly headOid: () => string | undefined
  /** Number of writes of references by this process. Those of git processes count after `noteRefWrites`. */
  readonly refWrites: () => number
  /** Notes that a git process of this process may have written references. */
  readonly noteRefWrites: Effect.Effect<void>
  /** The references with full names that start with `prefix`, sorted by name in byte order. */
  readonly refs: (prefix?: string) => Effect.Effect<ReadonlyArray<Refs.Ref>, GitError>
  /**
   * The ids of all references by full name, read from files without git: also of objects that git cannot read, and
   * undefined for symbolic and broken references.
   */
  readonly refIds: Refs.Refs["ids"]
  /** The reference with this full name. */
  readonly ref: (name: string) => Effect.Effect<Refs.Ref | undefined, GitError>
  /**
   * Resolves a revision to a commit id: `HEAD`, a full id, a full reference name, `heads/x`, `tags/x`, a branch, a tag,
   * or an unambiguous abbreviation of at least four digits, in this order. Git's revision syntax (`^`, `~`, `:`, `@{…}`)
   * is not supported.
   */
  readonly resolve: (revision: string) => Effect.Effect<string | undefined, GitError>
  /** The id of a commit by an unambiguous abbreviation of at least four digits, never by a name. */
  readonly commitById: (id: string) => Effect.Effect<string | undefined, GitError>
  /** Ids of commits in the order of `git log`. */
  readonly log: (page: Log.LogPage) => Effect.Effect<ReadonlyArray<string>, GitError>
  /** Total number of commits that match the filter. */
  readonly countLog: (filter: Log.LogFilter) => Effect.Effect<number, GitError>
  /** Like `countLog`, but without a wait: `undefined` while a long history is counted in the background. */
  readonly promptCountLog: (filter: Log.LogFilter) => Effect.Effect<number | undefined, GitError>
  readonly changes: Differences.Differences & DiffText.DiffText
  /** Streams the files of a commit as an archive. */
  readonly archive: (archive: SourceArchive.SourceArchive) => Stream.Stream<Uint8Array, GitError>
}

/** The isolated git directories of a repository. */
export interface IsolatedDirs extends Pick<GitRepository, "gitDir" | "isCurrent" | "closed"> {
  /** Gives the directory whose HEAD names `branch`. */
  readonly transferDir: (branch: string) => Effect.Effect<string, GitError>
  readonly uploadDir: (branch: string) => Effect.Effect<string, GitError>
  /** Folder for the references of pull requests. Undefined for a repository of the forge, which has them itself. */
  readonly pulls: string | undefined
}

/** The processes that all repositories share. */
export interface Programs {
  readonly git: Git["Service"]
  readonly catFile: CatFile["Service"]
  readonly transactions: RefTransactions.RefTransactions
}

/** Combines the parts of a repository at `location`. */
export const make = (
  { catFile, git, transactions }: Programs,
  caches: RepositoryCaches,
  location: RepositoryLocation,
  { bare: commonBare, objectFormat, shared }: RepositoryFormat.RepositoryFormat,
  { closed, gitDir, isCurrent, pulls, transferDir, uploadDir }: IsolatedDirs
): GitRepository => {
  // A linked work tree is not bare, even if the repository is bare.
  const bare = commonBare && location.gitDir === location.commonDir
  const objects = Objects.make(catFile, gitDir, objectFormat, caches.objects)
  const refs = Refs.make(git, catFile, location, gitDir, objectFormat)
  const log = Log.make(git, gitDir, caches.log)

  return {
    ...objects,
    ...ObjectWriter.make({ gitDir, format: objectFormat, shared }, objects),
    ...RefWriter.make(transactions, location, gitDir, { bare, commonBare, pulls }, refs),
    path: location.path,
    gitDir,
    transferDir: Effect.flatMap(refs.head, transferDir),
    uploadDir: Effect.flatMap(refs.head, uploadDir),
    bare,
    objectFormat,
    isCurrent,
    closed,
    head: refs.head,
    tip: refs.tip,
    knownTip: refs.knownTip,
    headOid: refs.headOid,
    refWrites: refs.writes,
    noteRefWrites: refs.invalidate,
    refs: (prefix = "") => refs.list(prefix),
    refIds: refs.ids,
    ref: refs.get,
    resolve: Revisions.make(catFile, gitDir, refs),
    commitById: Revisions.byId(catFile, gitDir),
    log: log.page,
    countLog: log.count,
    promptCountLog: log.promptCount,
    ...Ancestry.make(git, gitDir, objects, caches.mergeBases),
    ...TreeFiles.make(git, gitDir, objects, caches),
    changes: {
      ...Differences.make(git, gitDir, objectFormat, objects, caches),
      ...DiffText.make(git, gitDir)
    },
    archive: (archive) => SourceArchive.stream(git, gitDir, archive)
  }
}
