import { type RepositoryName, repositoryIn, writesToForge } from '../forges.ts'
import type { ServerCall } from './tool.ts'

/** Fields of MCP tools that name a repository: alone, or behind its owner. */
const owning = /^(?:owner|org|organization|namespace|workspace)$/i
const named =
  /^(?:repo|repository|repo_?name|repository_?name|project|project_?id|project_?path|full_?name|repo_?slug)$/i

/** Returns the repository that an MCP tool would change. */
export function repositoryOfTool({
  serverName: server,
  parts,
  onlyLooks,
  texts,
}: ServerCall): RepositoryName | undefined {
  if (!/git|^gh$|forge|bitbucket|codeberg/i.test(server) || onlyLooks || !parts.some((part) => writesToForge(part)))
    return undefined
  if (texts.some(({ key, text }) => key === 'method' && /^(?:get|list|search)/i.test(text))) return undefined
  const owner = texts.find(({ key }) => owning.test(key))?.text
  const repository = texts.find(({ key, text }) => named.test(key) && !/^\d+$/.test(text))?.text
  if (repository === undefined) return undefined
  return repositoryIn(owner === undefined || repository.includes('/') ? repository : `${owner}/${repository}`)
}
