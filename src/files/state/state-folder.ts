/** Names in hookgate's state folder that more than one part of it reads. */

/** The state file of the resident gate. */
export const gateStateName = 'gate.json'
/** Says at which port the page of `hookgate ui` is, as long as that is open. */
export const pageStateName = 'page.json'
/** The folder with one record for each settings file that `hookgate enable` has changed. */
export const enabledName = 'enabled'
/** The folder of signed bundles. */
export const bundlesName = 'bundles'
