/** A file that is a policy by its name. */
export const isPolicyName = (name: string) => /.\.policy\.m?[jt]s$/.test(name)
/** What can be compiled as one, whatever its name. */
export const isModuleName = (name: string) => /\.m?[jt]s$/.test(name)
