import type { ToolUse } from '../../model/event.ts'
import { isJsonObject, type Json } from '../../model/json.ts'
import type { SelfProtection } from '../../model/rule.ts'
import { quoted } from '../../model/text.ts'
import { toolWords } from '../../words/names.ts'
import { controlIn } from './own-commands.ts'

/** Words in the names of tools, and of their servers, that type for a person: on a desktop, or in another terminal. */
const types: ReadonlySet<string> = new Set(
  `type typing typed keyboard key keys keystroke keystrokes press paste clipboard terminal tmux screen zellij console pty
  tty stdin repl desktop computer iterm iterm2 kitty wezterm ghostty warp alacritty vnc rdp applescript osascript
  automation autohotkey expect interact`.split(/\s+/),
)
/** Words in the names of tools that open an address. */
const opens: ReadonlySet<string> = new Set(
  `browser browse chrome chromium firefox safari edge arc playwright puppeteer selenium devtools navigate goto visit open
  tab page url fetch request http`.split(/\s+/),
)

/** Says what a tool would type of hookgate's commands, or that it would open hookgate's page; else `undefined`. */
export function actsForPerson({ kind, name, input }: ToolUse, { pagePort }: SelfProtection): string | undefined {
  if (kind !== 'mcp' && kind !== 'other' && kind !== 'browser') return undefined
  const words = toolWords(name)
  const doesType = words.some((word) => types.has(word))
  if (!doesType && kind !== 'browser' && !words.some((word) => opens.has(word))) return undefined
  const texts = textsIn(input)
  // In a browser as well, what is typed may be the address.
  if (texts.some((text) => opensPage(text, pagePort))) return 'this would open hookgate’s page, which is a person’s'
  const typed = doesType ? texts.map(controlIn).find((found) => found !== undefined) : undefined
  return typed === undefined ? undefined : `this would type ${quoted(typed)}, which controls hookgate, for a person`
}

/** Tells whether a text has the address of hookgate's page: with the secret of a link, or the port that it is at now. */
export const opensPage = (text: string, port: number | undefined): boolean =>
  [...text.matchAll(/([\p{L}\p{N}.%-]{1,80}|\[[\da-f:.]{2,45}\]):(\d{1,8})(\/open\/[\w-]{16})?/giu)].some(
    ([, host = '', at, link]) => (link !== undefined || Number(at) === port) && isThisMachine(host),
  )

/** Tells whether a browser takes a host for this machine, in each spelling that it knows: `127.1`, `0x7f000001`, `localhost.`. */
function isThisMachine(host: string): boolean {
  const name = URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '') ?? ''
  return /^(?:(?:.*\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/.test(name)
}

/** Returns the texts in an input, and those of each list together: keys may be given one by one. */
function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) {
    const pieces = value.filter((one) => typeof one === 'string')
    const keys = pieces.map((one) => (/^(?:Space|Enter|Return|C-m)$/.test(one) ? ' ' : one))
    return [...value.flatMap(textsIn), keys.join(''), pieces.join(' ')]
  }
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : []
}
