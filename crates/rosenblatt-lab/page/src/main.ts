import "./lab.css";
import "./ask.js";
