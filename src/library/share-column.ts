/** D41. Undefined (not sent) keeps the value; null clears it (D32). */
export const shareColumn = (sent: boolean | null | undefined): number | undefined =>
  sent === undefined ? undefined : Number(sent ?? false)
