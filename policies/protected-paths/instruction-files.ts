import { leavesPersonOut, type TextChange } from 'hookgate/policy'
import { harmingInstruction, isProhibition } from './instructions.ts'

/** Texts of a project that an agent follows when a person or a file's name asks for them: rules, commands, skills. */
const instructing =
  /(?:^|\/)(?:\.(?:cursor|windsurf|augment|continue|trae|roo|kilocode|claude)\/rules[\w-]*\/[^\n]+|\.(?:clinerules|kiro\/steering|junie|openhands\/microagents)\/[^\n]+|\.(?:claude|cursor|gemini|qwen|codex|opencode|factory|copilot|crush|kimi|pi|kilocode)\/(?:commands?|agents?|droids|skills?|prompts|output-styles|modes)\/[^\n]+|\.(?:claude|gemini|qwen|codex)\/(?:claude|gemini|qwen|agents))\.(?:mdc?|markdown)$|(?:^|\/)\.(?:cursorrules|windsurfrules)$/i

/** Lines in front of such a text that grant what a person is asked about, or run something by themselves. */
const granting =
  /^\s*(?:hooks|mcp-?servers|disallowed-?tools)\s*:|^\s*permission-?mode\s*:\s*(?!plan\b|default\b)\S|^\s*allowed-?tools\s*:.{0,400}\bbash\b(?!\((?!\s*[*:]))|^\s*allowed-?tools\s*:.{0,400}["'\s,[]\*/im
/** Commands that no text of a project needs to tell an agent, or that run in the moment in which it is asked for. */
const running =
  /\b(?:curl|wget|iwr|irm)\b[^\n]{0,300}\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b|\|\s*iex\b|\bbase64\s+(?:-d|-D|--decode)|\bsudo\b|\brm\s+-\w*r\w*\s+(?:["']?(?:~|\/(?!tmp\b)|\$\{?HOME))|\bchmod\s+(?:-R\s+)?[0-7]?777\b|bypassPermissions|danger-full-access|--yolo\b|--trust-all|\bpush\s[^\n]{0,80}(?:--force(?!-)|\s-f\b)|!`[^`\n]{0,200}(?:\b(?:curl|wget|nc|ssh|env|printenv|rm|eval|node|python3?)\b|\.env\b)/i
/** Says to take orders from elsewhere. */
const elsewhere =
  /\b(?:fetch|download|open|load|read|get)\b[^\n]{0,200}https?:[^\n]{0,200}\b(?:follow|obey|execute|run it|do what)\b/i
/** Characters that a person does not see: they may say anything. */
const unseen = /[\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069]|\uDB40[\uDC00-\uDC7F]/

/** A longer text was not written by hand, and is not read to its end. */
const longest = 40_000

/**
 * True for a text for agents that asks for nothing but work: it grants nothing, hides nothing, and says nothing that
 * harms or takes the person out. What is taken away may be work as well, but no prohibition.
 *
 * @param way of the file in its workspace
 */
export function isOrdinaryInstruction(way: string, { removed, added }: TextChange): boolean {
  if (!instructing.test(way) || added === '' || added.length > longest || unseen.test(added)) return false
  const prohibitions = [removed, added].map((text) => text.split('\n').filter(isProhibition).length)
  return (
    (prohibitions[0] ?? 0) <= (prohibitions[1] ?? 0) &&
    ![granting, running, elsewhere].some((look) => look.test(added)) &&
    !leavesPersonOut(added) &&
    harmingInstruction(added) === undefined
  )
}
