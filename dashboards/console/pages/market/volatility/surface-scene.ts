import {
  BufferGeometry,
  Color,
  DoubleSide,
  Float32BufferAttribute,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { volatilityRamp } from '#src/lib/charts/palette.ts';

/** A surface to draw: heights in rows and columns, each from 0 to 1, null where there is none. */
export interface Heights {
  readonly rows: number;
  readonly columns: number;
  readonly at: (row: number, column: number) => number;
}

/** A place in the box that the surface stands in, each from 0 to 1: column, height, row. */
export type Place = readonly [x: number, y: number, z: number];

export interface SurfaceScene {
  readonly show: (heights: Heights) => void;
  /** Turns by angles in radians, and comes nearer by a factor below 1. */
  readonly move: (turn: { readonly around?: number; readonly over?: number; readonly nearer?: number }) => void;
  readonly reset: () => void;
  readonly end: () => void;
}

const ramp = volatilityRamp.map((color) => new Color(color));
const SIZE = { x: 2.2, y: 1.1, z: 1.8 } as const;
const EYE = new Vector3(-2.2, 1.55, 2.95);

/** Checks whether this browser draws in three dimensions, without leaving an error behind. */
export function canDraw(): boolean {
  return document.createElement('canvas').getContext('webgl2') !== null;
}

/**
 * Draws a surface that can be turned, and tells after each picture where places of its box are on the page, so that
 * texts can stand there. It draws only when something has changed.
 */
export function drawSurface(
  place: HTMLElement,
  line: string,
  onDrawn: (where: (at: Place) => { readonly left: number; readonly top: number }) => void,
): SurfaceScene {
  const renderer = new WebGLRenderer({ antialias: true, alpha: true });
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  place.append(renderer.domElement);
  const scene = new Scene();
  const camera = new PerspectiveCamera(38, 1, 0.1, 30);
  const controls = new OrbitControls(camera, renderer.domElement);
  Object.assign(controls, { enablePan: false, minDistance: 2, maxDistance: 7, maxPolarAngle: 0.52 * Math.PI });
  // the wheel is the page's: + and - come nearer
  controls.enableZoom = false;
  const surface = new Mesh(new BufferGeometry(), new MeshBasicMaterial({ vertexColors: true, side: DoubleSide }));
  const net = new LineSegments(
    new BufferGeometry(),
    new LineBasicMaterial({ color: '#0b0d12', transparent: true, opacity: 0.22 }),
  );
  const box = new LineSegments(boxLines(), new LineBasicMaterial({ color: line }));
  scene.add(surface, net, box);
  const draw = () => {
    renderer.render(scene, camera);
    onDrawn((at) => {
      const seen = inBox(at).project(camera);
      return { left: (0.5 + seen.x / 2) * place.clientWidth, top: (0.5 - seen.y / 2) * place.clientHeight };
    });
  };
  const reset = () => {
    camera.position.copy(EYE);
    controls.target.set(0, -0.2, 0);
    controls.update();
    draw();
  };
  const fit = () => {
    const { clientWidth: width, clientHeight: height } = place;
    if (width === 0 || height === 0) return;
    renderer.setSize(width, height);
    camera.aspect = width / height;
    // a narrow place shows all of it from further away
    camera.fov = Math.min(75, 38 * Math.max(1, 1.25 / camera.aspect));
    camera.updateProjectionMatrix();
    draw();
  };
  controls.addEventListener('change', draw);
  const watcher = new ResizeObserver(fit);
  watcher.observe(place);
  reset();
  fit();
  return {
    show: (heights) => {
      setSurface(surface.geometry, net.geometry, heights);
      draw();
    },
    move: ({ around = 0, over = 0, nearer = 1 }) => {
      const from = camera.position.clone().sub(controls.target);
      from.applyAxisAngle(new Vector3(0, 1, 0), around);
      const side = new Vector3(0, 1, 0).cross(from).normalize();
      const over_ = from.clone().applyAxisAngle(side, over);
      // not past the top, nor below the ground
      const isUpright = over_.y > -0.05 * over_.length() && over_.y < 0.98 * over_.length();
      camera.position.copy(controls.target).add((isUpright ? over_ : from).multiplyScalar(nearer));
      controls.update();
      draw();
    },
    reset,
    end: () => {
      watcher.disconnect();
      controls.dispose();
      for (const { geometry, material } of [surface, net, box]) {
        geometry.dispose();
        material.dispose();
      }
      renderer.dispose();
      renderer.domElement.remove();
    },
  };
}

function inBox([x, y, z]: Place): Vector3 {
  return new Vector3((x - 0.5) * SIZE.x, (y - 0.5) * SIZE.y, (z - 0.5) * SIZE.z);
}

function setSurface(surface: BufferGeometry, net: BufferGeometry, { rows, columns, at }: Heights): void {
  const positions: number[] = [];
  const colors: number[] = [];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const height = at(row, column);
      positions.push(...inBox([column / (columns - 1), height, row / (rows - 1)]).toArray());
      colors.push(...colorOf(height).toArray());
    }
  const faces: number[] = [];
  const edges: number[] = [];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const here = row * columns + column;
      const [hasRight, hasNext] = [column + 1 < columns, row + 1 < rows];
      if (hasRight && hasNext) faces.push(here, here + columns, here + 1, here + 1, here + columns, here + columns + 1);
      if (hasRight && row % 2 === 0) edges.push(here, here + 1);
      if (hasNext && column % 3 === 0) edges.push(here, here + columns);
    }
  const attribute = new Float32BufferAttribute(positions, 3);
  surface
    .setAttribute('position', attribute)
    .setAttribute('color', new Float32BufferAttribute(colors, 3))
    .setIndex(faces);
  net.setAttribute('position', attribute).setIndex(edges);
  surface.computeBoundingSphere();
  net.computeBoundingSphere();
}

function colorOf(height: number): Color {
  const place = Math.min(Math.max(height, 0), 1) * (ramp.length - 1);
  const i = Math.min(Math.floor(place), ramp.length - 2);
  return ramp[i]!.clone().lerp(ramp[i + 1]!, place - i);
}

/** The floor and the two walls behind, which do not hide the surface from where one looks first. */
function boxLines(): BufferGeometry {
  const quarters = [0, 0.25, 0.5, 0.75, 1];
  const pairs: (readonly [Place, Place])[] = quarters.flatMap((q) => [
    [
      [q, 0, 0],
      [q, 0, 1],
    ] as const,
    [
      [0, 0, q],
      [1, 0, q],
    ] as const,
    [
      [0, q, 0],
      [1, q, 0],
    ] as const,
    [
      [1, q, 0],
      [1, q, 1],
    ] as const,
  ]);
  return new BufferGeometry().setFromPoints(pairs.flat().map(inBox));
}
