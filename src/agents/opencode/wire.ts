import { opencode } from './index.ts'
import { pluginDialect } from '../table/plugin-form.ts'

/** The plugin hooks of OpenCode, as of 1.18. */
export const dialect = pluginDialect(opencode)
