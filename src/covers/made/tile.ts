export interface Colours {
  readonly ground: string
  readonly figure: string
}

/** A tile that repeats seamlessly, drawn on the ground. `u`: the pattern's unit. */
export interface Tile {
  readonly width: number
  readonly height: number
  readonly shapes: string
}
