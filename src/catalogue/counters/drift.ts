export interface Drift {
  readonly table: string
  readonly column: string
  /** The row's id; list, key and block for `row_counts`. */
  readonly row: number | string
  readonly kept: number
  readonly counted: number
}
