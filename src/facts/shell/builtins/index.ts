import { type Builtin, testBuiltins } from './builtin.ts'
import { controlBuiltins } from './control.ts'
import { folderBuiltins, variableBuiltins } from './variables.ts'
import { inputBuiltins } from './input.ts'

/** Builtins that change the shell's state, by name. Any other builtin is treated like a program. */
export const builtins: ReadonlyMap<string, Builtin> = new Map(
  Object.entries({ ...controlBuiltins, ...folderBuiltins, ...inputBuiltins, ...testBuiltins, ...variableBuiltins }),
)
