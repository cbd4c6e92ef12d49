/** Words: letters at axes and texts of the picture itself, never too small to be read. */

import {
  type Camera,
  OrthographicCamera,
  PerspectiveCamera,
  type Sprite,
  Vector3,
} from "three";
import type { Shape } from "./scene";
import { ROOM, textSprite } from "./marks";

/** Pixels that letters have at least, and those of axes at most. */
const LEAST = 12;
const MOST = 20;
/** Cosine of the angle to the line of sight below which an axis is a point. */
const END_ON = Math.cos(Math.PI / 12);

interface Word {
  sprite: Sprite;
  /** Its height as it was meant [m]. */
  height: number;
  most: number;
  /** Of a letter: the tip of its axis, and the direction of it. */
  tip: Vector3;
  along: Vector3 | null;
}

export class Words {
  private readonly all: Word[] = [];
  private readonly at = new Vector3();
  private readonly sight = new Vector3();
  private readonly way = new Vector3();

  add(shape: Shape, ink: string, halo: string, usual: number): Sprite {
    return this.make(shape, ink, halo, shape.height ?? usual, Infinity, null);
  }

  /** A letter beyond the tip of an axis; what stands before it hides it. */
  addLetter(shape: Shape, ink: string, halo: string, along: Vector3): Sprite {
    const sprite = this.make(shape, ink, halo, shape.height ?? 0, MOST, along);
    sprite.material.depthTest = shape.layer !== "frames";
    return sprite;
  }

  /** Let them have a size that can be read, in a picture of so many pixels. */
  fit(camera: Camera, pixels: number): void {
    camera.getWorldDirection(this.sight);
    for (const { sprite, height, most, tip, along } of this.all) {
      this.at.setFromMatrixPosition(sprite.matrixWorld);
      const pixel = sizeSeen(camera, this.at) / Math.max(pixels, 1);
      const tall = Math.min(Math.max(height, LEAST * pixel), most * pixel);
      sprite.scale.set(tall * ROOM * sprite.userData.wide, tall * ROOM, 1);
      // the letter of an axis that points at the viewer would cover the picture
      const dot = along
        ? this.sight.dot(this.way.copy(along).transformDirection(sprite.parent!.matrixWorld))
        : 0;
      sprite.material.visible = Math.abs(dot) < END_ON;
      if (along) sprite.position.copy(tip).addScaledVector(along, 0.75 * tall);
      sprite.updateMatrixWorld();
    }
  }

  private make(
    shape: Shape,
    ink: string,
    halo: string,
    height: number,
    most: number,
    along: Vector3 | null,
  ): Sprite {
    const sprite = textSprite(shape.text ?? "", ink, halo);
    sprite.position.fromArray(shape.r ?? [0, 0, 0]);
    this.all.push({ sprite, height, most, tip: sprite.position.clone(), along });
    return sprite;
  }
}

/** How many metres the height of the picture is, at a point. */
function sizeSeen(camera: Camera, point: Vector3): number {
  if (camera instanceof OrthographicCamera) return (camera.top - camera.bottom) / camera.zoom;
  if (!(camera instanceof PerspectiveCamera)) return 1;
  const deep = -point.clone().applyMatrix4(camera.matrixWorldInverse).z;
  return 2 * Math.max(deep, camera.near) * Math.tan((camera.fov * Math.PI) / 360);
}
