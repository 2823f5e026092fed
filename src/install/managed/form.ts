import { jsonForm } from './json-form.ts'
import type { ManagedFile } from './managed-file.ts'
import type { ManagedForm } from './managed-form.ts'
import { tomlForm } from './toml-form.ts'

/** Returns how the file is read and edited. */
export const formOf = (file: ManagedFile): ManagedForm =>
  file.managed.holds === 'tomlGroups' ? tomlForm(file) : jsonForm(file, file.managed.holds)
