export type { ClientCall } from './call.ts'
export type { Client, ClientKind } from './client.ts'
export { chooseClient } from './choose-client.ts'
export { hookScript, upEveryVariable } from './hook-script.ts'
