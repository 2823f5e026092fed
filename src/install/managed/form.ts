import { isOwnPlugin } from '../plugin/plugin-text.ts'
import { jsonForm } from './json-form.ts'
import type { ManagedFile, PluginFile } from './managed-file.ts'
import type { ManagedForm } from './managed-form.ts'
import { tomlForm } from './toml-form.ts'

/** Returns how the file is read and edited. */
export function formOf(file: ManagedFile | PluginFile): ManagedForm {
  if ('text' in file) return wholeForm(file)
  return file.managed.holds === 'tomlGroups' ? tomlForm(file) : jsonForm(file, file.managed.holds)
}

const wholeForm = ({ agent, text }: PluginFile): ManagedForm => ({
  format: 'own',
  empty: '',
  added: () => text,
  removed: (present) => (isOwnPlugin(agent.name, present) ? '' : present),
  read: () => ({ root: null, handlers: [] }),
})
