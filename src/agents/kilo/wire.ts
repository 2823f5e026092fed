import { kilo } from './index.ts'
import { pluginDialect } from '../table/plugin-form.ts'

/** The plugin hooks of Kilo's CLI, as of 7.7.9. */
export const dialect = pluginDialect(kilo, [
  'board_post',
  'board_read',
  'cancel_wakeup',
  'cron_delete',
  'cron_list',
  'kilo_local_recall',
  'link_pr',
])
