import { unknownPart } from 'hookgate/policy'
import type { Change } from './touched.ts'

/** Folders whose files an agent reads as its configuration, or that hold what its hooks run. */
const components =
  /(?:^|\/)\.?(?:hooks?|agents?|subagents?|droids|commands|prompts|skills?|rules[^/]*|cline|clinerules|workflows|modes|output-styles|steering|instructions|guidelines|memor(?:y|ies)|microagents|plugins?|extensions?|mcp[^/]*|tools|scripts?|bin|lib|helpers|policies|themes|keybindings)(?:\/|$)/i

/** Folders in which agents and their scripts keep what they have done, and nothing that is read as configuration. */
const records =
  /^\.?(?:state|logs?|cache|caches|tmp|temp|backups?|archives?|old|trash|history|sessions|transcripts|notes|plans|todos|tasks|reports|research|reviews|handoffs?|scratch|drafts|metrics|telemetry|debug|worktrees|shell-snapshots|file-history|statsig)(?:\/|$)/i

/** Files that nothing reads as configuration, wherever they are: leftovers and records. */
const leftover =
  /(?:^|[/\\])(?:\.DS_Store|Thumbs\.db|desktop\.ini|\.gitkeep)$|\.(?:log|tmp|temp|bak|orig|rej|old|backup|swp|pid|lock)$|~$/i
/** Files of data, which are none outside of the folders of components. A database may hold approvals and conversations. */
const data = /\.(?:csv|tsv|txt|jsonl|ndjson|png|jpe?g|gif|svg|pdf|html?|diff|patch|zip|gz|out|err)$/i
/** A text directly in an agent's folder, other than its instructions. */
const text = /^[^/]+\.mdx?$/i
const instructions =
  /claude|agents?|gemini|qwen|codex|copilot|cursor|instruction|guideline|rule|memory|system|soul|identity|user|tools?|context|prompt|override/i
const program = /\.(?:sh|bash|zsh|fish|py|rb|pl|php|lua|[cm]?[jt]sx?|ps1|bat|cmd|exe)$/i

/** True for a file of an agent's folder that cannot change what the agent does, by the way of it below that folder. */
export function isRecord(folder: string, way: string, { path }: Change): boolean {
  if (leftover.test(path.unresolved === true ? path.written : way)) return true
  if (way.includes(unknownPart) || way.includes('..') || path.unresolved === true) return false
  const isPattern = /[*?[{(]/.test(way)
  if (isPattern && way.includes('/')) return false
  if (records.test(way)) return path.access === 'delete' || !program.test(way)
  if (components.test(folder) || components.test(way)) return false
  return data.test(way) || (!isPattern && text.test(way) && !instructions.test(way))
}

/** True for a file that is only let run. */
export const isMadeRunnable = ({ path: { rights, recursive } }: Change): boolean =>
  rights?.includes('runs') === true && recursive !== true
