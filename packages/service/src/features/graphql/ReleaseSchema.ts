/** The GraphQL types of releases. */
export const DEFINITION = `
enum ReleaseOrderField { CREATED_AT NAME }
input ReleaseOrder { field: ReleaseOrderField! direction: OrderDirection! }

extend type Repository {
  latestRelease: Release
  release(tagName: String!): Release
  releases(first: Int, last: Int, after: String, before: String, orderBy: ReleaseOrder): ReleaseConnection!
}

type Release implements Node & UniformResourceLocatable {
  id: ID!
  databaseId: Int
  name: String
  tagName: String!
  "Null for a draft whose tag does not exist."
  tag: Ref
  tagCommit: Commit
  url: URI!
  resourcePath: URI!
  description: String
  author: User
  repository: Repository!
  isDraft: Boolean!
  isLatest: Boolean!
  isPrerelease: Boolean!
  immutable: Boolean!
  createdAt: DateTime!
  publishedAt: DateTime
  updatedAt: DateTime!
  releaseAssets(first: Int, last: Int, after: String, before: String, name: String): ReleaseAssetConnection!
}
type ReleaseEdge { cursor: String! node: Release }
type ReleaseConnection { nodes: [Release] edges: [ReleaseEdge] totalCount: Int! pageInfo: PageInfo! }

type ReleaseAsset implements Node {
  id: ID!
  name: String!
  contentType: String!
  size: Int!
  digest: String
  downloadCount: Int!
  downloadUrl: URI!
  url: URI!
  createdAt: DateTime!
  updatedAt: DateTime!
  uploadedBy: User
  release: Release
}
type ReleaseAssetEdge { cursor: String! node: ReleaseAsset }
type ReleaseAssetConnection {
  nodes: [ReleaseAsset]
  edges: [ReleaseAssetEdge]
  totalCount: Int!
  pageInfo: PageInfo!
}
`
