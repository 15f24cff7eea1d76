/** Builds a repository and the history. Awaiting the builder creates the repository. */
import * as FastImport from "./FastImport.ts"

/** Options of a repository. */
export interface RepositoryOptions {
  /** False by default: everybody can read the repository. */
  readonly private?: boolean | undefined
  /** `OWNER/NAME` of the repository of which this one is a fork, with its branches, tags and visibility. */
  readonly forkOf?: string | undefined
  readonly description?: string | undefined
  readonly topics?: ReadonlyArray<string> | undefined
}

/** Options of a commit. */
export interface CommitOptions {
  readonly message?: string | undefined
  /** `NAME <EMAIL>`, by default the owner of the repository. */
  readonly author?: string | undefined
  /** By default the time of the forge's clock. */
  readonly date?: Date | undefined
  /** The branch that the commit extends, by default the current one. */
  readonly branch?: string | undefined
}

/** A repository of the forge. */
export interface TestRepository {
  readonly fullName: string
  readonly owner: string
  readonly name: string
  /** Path of the git directory. */
  readonly path: string
  /** URL for `git clone`. A private repository needs a token as password. */
  readonly cloneUrl: string
  /** Ids of the commits that the builder added, oldest first. */
  readonly commits: ReadonlyArray<string>
}

/** A repository and the history so far. Await the builder to create both. */
export class RepositoryBuilder implements PromiseLike<TestRepository> {
  readonly #create: (steps: ReadonlyArray<FastImport.Step>) => Promise<TestRepository>
  readonly #steps: ReadonlyArray<FastImport.Step>
  readonly #branch: string
  #created: Promise<TestRepository> | undefined

  /** @internal */
  constructor(
    create: (steps: ReadonlyArray<FastImport.Step>) => Promise<TestRepository>,
    steps: ReadonlyArray<FastImport.Step> = [],
    branch = "main"
  ) {
    this.#create = create
    this.#steps = steps
    this.#branch = branch
  }

  /** Adds a commit that changes files. */
  commit(
    files: FastImport.Files,
    { author, branch = this.#branch, date, message = "Change files" }: CommitOptions = {}
  ): RepositoryBuilder {
    return this.#with({ _tag: "Commit", branch, files, message, author, date }, branch)
  }

  /**
   * Adds a branch at the last commit of another branch, by default of the current one. Further commits extend the new
   * branch.
   */
  branch(name: string, { from = this.#branch }: { readonly from?: string | undefined } = {}): RepositoryBuilder {
    return this.#with({ _tag: "Branch", name, from }, name)
  }

  /** Adds a tag at the last commit of the current branch. A tag with a message is annotated. */
  tag(name: string, message?: string): RepositoryBuilder {
    return this.#with({ _tag: "Tag", name, branch: this.#branch, message }, this.#branch)
  }

  /** Adds a commit with the files of a folder, without `.git`. */
  folder(path: string, options?: CommitOptions): RepositoryBuilder {
    return this.commit(FastImport.filesOf(path), { message: "Add the files of a folder", ...options })
  }

  // oxlint-disable-next-line unicorn/no-thenable -- awaiting the builder creates the repository
  then<A = TestRepository, B = never>(
    onFulfilled?: ((repository: TestRepository) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null
  ): Promise<A | B> {
    this.#created ??= this.#create(this.#steps)
    return this.#created.then(onFulfilled, onRejected)
  }

  #with(step: FastImport.Step, branch: string): RepositoryBuilder {
    FastImport.check(step)
    return new RepositoryBuilder(this.#create, [...this.#steps, step], branch)
  }
}
