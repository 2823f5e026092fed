import type { Builtin } from './builtin.ts'
import { controlBuiltins } from './control.ts'
import { folderBuiltins } from './folders.ts'
import { inputBuiltins } from './input.ts'
import { testBuiltins } from './test.ts'
import { variableBuiltins } from './variables.ts'

export { declaring } from './variables.ts'

/** What the shell does by itself and what changes it, by name. Other builtins are as good as programs. */
export const builtins: ReadonlyMap<string, Builtin> = new Map(
  Object.entries({ ...controlBuiltins, ...folderBuiltins, ...inputBuiltins, ...testBuiltins, ...variableBuiltins }),
)
