// The modules that the bundler makes of other files.
declare module "*.css";
declare module "*.csv" {
  const text: string;
  export default text;
}
