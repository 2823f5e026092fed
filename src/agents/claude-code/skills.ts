import { join } from 'node:path'
import type { ToolUse } from '../../model/event.ts'
import { HookgateError } from '../../model/errors.ts'
import { textAt } from '../../model/json.ts'
import { shellLimits } from '../../model/limits.ts'
import type { CalledText } from '../called-text.ts'
import { configFolder } from './settings-files.ts'

/**
 * Skills and slash commands that the model calls. Since 2.1.332 Claude Code sends an event for each command in their
 * text; before that, the call of the tool is all that a hook sees. A name with `:` is a command's in a folder, or one of
 * a plugin, whose files are not looked for.
 */
export const skills: CalledText = {
  files({ name, input }, { roots, home, env }) {
    const called = name === 'Skill' ? nameIn(input) : undefined
    if (called === undefined || called.includes('..')) return []
    const folder = home()
    const own = configFolder({ env, home: folder, cwd: roots[0] ?? folder })
    const path = called.split(':').join('/')
    return [...roots.map((root) => join(root, '.claude')), own].flatMap((one) => [
      join(one, 'skills', path, 'SKILL.md'),
      join(one, 'commands', `${path}.md`),
    ])
  },
  commands(text, { input }) {
    const given = textAt(input, 'args') ?? ''
    const written = [...text.matchAll(command)].map(([, inline = '', block = '']) => `${inline}${block}`)
    const places = written.reduce((sum, one) => sum + one.split(hole).length - 1, 0)
    if (places * given.length > shellLimits.textCharactersMax) {
      throw new HookgateError('eventMalformed', `the text that is called repeats its arguments ${places} times`, {
        remedy: 'give it shorter arguments',
      })
    }
    return written.map((one) => one.replaceAll(hole, () => given).trim())
  },
}

/** A command in a line, or a block of them. INVARIANT: takes time in proportion to the text, which a repository may hold. */
const command = /!`([^`\n]+)`|^[ \t]*```![^\S\n]*\n([\s\S]*?)^[ \t]*```/gm
const hole = '$ARGUMENTS'

const nameIn = (input: ToolUse['input']) =>
  (textAt(input, 'skill') ?? textAt(input, 'command'))?.trim().replace(/^\//, '').split(/\s/)[0]
