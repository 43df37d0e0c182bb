/** A word of a command to type, quoted for the shell if necessary. */
export const quoted = (word: string) =>
  /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
